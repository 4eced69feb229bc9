import { backfills } from './backfills.js'
import { backupCommands } from './backups.js'
import { banCommands } from './bans.js'
import type { Command, Options } from './command.js'
import { erasureCommands } from './erasures.js'
import { instanceCommands } from './instances.js'
import { jobCommands } from './jobs.js'
import { migrateCommand } from './migrate.js'
import { moderators } from './moderators.js'
import { preflightCommand } from './preflight.js'
import { dropSecrets, renewClaimLinks, rotateSecret, showSecrets } from './secrets.js'
import { suspend, unsuspend } from './standing.js'
import { hide, unhide } from './take-down.js'
import { why } from './why.js'

/** All operator commands, in the order of the usage. */
export const commands: readonly Command[] = [
  preflightCommand,
  migrateCommand,
  backfills,
  suspend,
  unsuspend,
  ...banCommands,
  hide,
  unhide,
  moderators,
  ...erasureCommands,
  ...jobCommands,
  ...instanceCommands,
  why,
  showSecrets,
  rotateSecret,
  dropSecrets,
  renewClaimLinks,
  ...backupCommands,
]

/** What a command line asks for. */
export interface Asked {
  readonly command: Command
  readonly args: readonly string[]
  readonly options: Options
}

/**
 * Finds the command of a command line; undefined if there is none of that name, its arguments are too few or too many, or it
 * has no such option.
 */
export function findCommand([name, ...words]: readonly string[], among = commands): Asked | undefined {
  const command = among.find((one) => one.name === name)
  if (!command) return undefined
  const known = new Map(['--json', ...(command.options ?? [])].map((option) => [option.split(' ')[0], option]))
  const args: string[] = []
  const options: Record<string, string> = {}
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const option = known.get(word)
    if (option === undefined && word.startsWith('--') && !command.arguments.includes(`[${word}]`)) return undefined
    if (option === undefined) args.push(word)
    else if (!option.includes(' ')) options[word.slice(2)] = ''
    else {
      const value = words[++i]
      if (value === undefined) return undefined
      options[word.slice(2)] = value
    }
  }
  const needed = command.arguments.filter((argument) => argument.startsWith('<')).length
  return args.length >= needed && args.length <= command.arguments.length ? { command, args, options } : undefined
}

/** One line for each command. */
export function usage(among = commands): string {
  const lines = among.map((command) => ({
    call: [command.name, ...command.arguments, ...(command.options ?? []).map((option) => `[${option}]`)].join(' '),
    command,
  }))
  const width = Math.min(LONGEST_CALL, Math.max(...lines.map(({ call }) => call.length)))
  const calls = lines.map(({ call, command }) => `npm run operate -- ${call.padEnd(width)}   ${command.summary}\n`)
  return `${calls.join('')}With --json, any of them prints JSON. Exit codes: 0 done, 1 refused or failed, 2 not a command.\n`
}

const LONGEST_CALL = 44
