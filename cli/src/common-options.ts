import { type Command, InvalidArgumentError, Option } from 'commander'
import type { OutputFormat } from './output.js'

/** Options of every command, accepted before or after its name. */
export interface CommonOptions {
  readonly output?: OutputFormat
  readonly profile?: string
}

/** Names that no input of an endpoint may have, because every command uses them. */
export const reservedOptions = ['output', 'json', 'profile', 'help', 'body', 'idempotencyKey'] as const

export function addCommonOptions(command: Command): Command {
  const output = new Option('--output <format>', 'How to show the answer: table on a terminal, json elsewhere.')
  const json = new Option('--json', 'Show JSON, failures too: as one object on stderr. Short for --output json.')
  const profile = new Option('--profile <name>', 'Stored profile to use (env: ROOKERY_PROFILE). Default: default.')
  return command
    .addOption(output.choices(['json', 'table']).helpGroup('Common options:'))
    .addOption(json.helpGroup('Common options:'))
    .addOption(profile.argParser(parseProfile).helpGroup('Common options:'))
}

/** Reads the common options. Those after the command's name override those before it. */
export function commonOptionsOf(command: Command): CommonOptions {
  const { json, output = json ? 'json' : undefined, profile } = optionsOf<CommonOptions & { json?: boolean }>(command)
  return { ...(output !== undefined && { output }), ...(profile !== undefined && { profile }) }
}

/** The options of a command and of those it belongs to; the innermost win. */
export function optionsOf<T extends object>(command: Command): T {
  return { ...(command.parent ? optionsOf<T>(command.parent) : {}), ...command.opts<T>() } as T
}

function parseProfile(name: string): string {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name))
    throw new InvalidArgumentError('It takes 1 to 64 letters, digits, dots, dashes and underscores.')
  return name
}
