import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { type Connection, clientFor, resolveConnection } from './connection.js'
import { UsageError } from './failures.js'
import { show } from './output.js'
import { findProfile, saveProfile } from './profiles.js'
import { storeKey } from './stored-key.js'
import type { Terminal } from './terminal.js'

interface LoginOptions {
  readonly url?: string
  readonly apiKeyStdin?: boolean
}

/** Adds `login`, which stores a server and a key after trying both, and `logout`, which deletes them. */
export function addLoginCommands(program: Command, terminal: Terminal): void {
  const login = program
    .command('login')
    .description('Store the server and the API key of a profile')
    .option('--url <url>', 'Address of the server. Default: the one in use.')
    .option('--api-key-stdin', 'Read the API key from standard input.')
  addCommonOptions(login).action(() => runLogin(terminal, login))
  const logout = program.command('logout').description('Delete the server and the API key of a profile')
  addCommonOptions(logout).action(() => runLogout(terminal, logout))
}

async function runLogin(terminal: Terminal, command: Command): Promise<void> {
  const { url: asked, apiKeyStdin } = command.opts<LoginOptions>()
  const { output, ...common } = commonOptionsOf(command)
  const env = asked === undefined ? terminal.env : { ...terminal.env, ROOKERY_URL: asked }
  const connection = resolveConnection(env, common)
  const username = apiKeyStdin ? await storeGivenKey(terminal, connection) : await storeServer(terminal, connection)
  show(terminal, { profile: connection.profileName, url: connection.url, username }, output)
}

async function storeGivenKey(terminal: Terminal, connection: Connection): Promise<string> {
  const apiKey = (await terminal.readInput()).trim()
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError('Standard input contains no API key.')
  const { username } = await clientFor({ ...connection, apiKey }, 'agent').getMe()
  await storeKey(terminal, connection, { apiKey, username })
  return username
}

async function storeServer({ env }: Terminal, connection: Connection): Promise<string | null> {
  await clientFor(connection, 'none').getConfig()
  const stored = findProfile(env, connection.profileName)
  const same = stored?.url === connection.url ? stored : { url: connection.url }
  await saveProfile(env, connection.profileName, same)
  return same.username ?? null
}

async function runLogout(terminal: Terminal, command: Command): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const { profileName } = resolveConnection(terminal.env, common)
  await saveProfile(terminal.env, profileName, undefined)
  show(terminal, { profile: profileName, removed: true }, output)
}
