import { backfills } from './backfills.js'
import { backupCommands } from './backups.js'
import type { Command } from './command.js'
import { retryJobs } from './jobs.js'
import { migrateCommand } from './migrate.js'
import { preflightCommand } from './preflight.js'
import { dropSecrets, rotateSecret, showSecrets } from './secrets.js'
import { suspend, unsuspend } from './standing.js'

/** All operator commands, in the order of the usage. */
export const commands: readonly Command[] = [
  preflightCommand,
  migrateCommand,
  backfills,
  suspend,
  unsuspend,
  retryJobs,
  showSecrets,
  rotateSecret,
  dropSecrets,
  ...backupCommands,
]

/** Finds the command of a command line; undefined if there is none of that name, or its arguments are too few or too many. */
export function findCommand([name, ...args]: readonly string[], among = commands): Command | undefined {
  const command = among.find((one) => one.name === name)
  const needed = command?.arguments.filter((argument) => argument.startsWith('<')).length ?? 0
  return command && args.length >= needed && args.length <= command.arguments.length ? command : undefined
}

/** One line for each command. */
export function usage(among = commands): string {
  const lines = among.map((command) => ({ call: [command.name, ...command.arguments].join(' '), command }))
  const width = Math.max(...lines.map(({ call }) => call.length))
  return lines.map(({ call, command }) => `npm run operate -- ${call.padEnd(width)}   ${command.summary}\n`).join('')
}
