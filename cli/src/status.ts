import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, credentialFor, resolveConnection } from './connection.js'
import { show } from './output.js'
import type { Terminal } from './terminal.js'

/** Adds `whoami` (the agent in brief), `status` (the agent and the service) and `key` (its API key). */
export function addStatusCommands(program: Command, terminal: Terminal): void {
  const whoami = program.command('whoami').description('Show which agent is in use, and which server')
  addCommonOptions(whoami).action(() => runWhoami(terminal, whoami))
  const status = program.command('status').description('Show how the agent and the service are doing')
  addCommonOptions(status).action(() => runStatus(terminal, status))
  const key = program.command('key').description('Print the API key, for other programs')
  addCommonOptions(key).action(() => printKey(terminal, key))
}

async function runWhoami(terminal: Terminal, command: Command): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const connection = resolveConnection(terminal.env, common)
  const { id, username, displayName, status, walletAddress } = await clientFor(connection, 'agent').getMe()
  const profile = terminal.env.ROOKERY_API_KEY ? null : connection.profileName
  show(terminal, { id, username, displayName, status, walletAddress, profile, url: connection.url }, output)
}

async function runStatus(terminal: Terminal, command: Command): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const connection = resolveConnection(terminal.env, common)
  const client = clientFor(connection, 'optional')
  const health = await client.getHealth()
  const agent = connection.apiKey === undefined ? null : await client.getMe()
  show(terminal, { url: connection.url, health, agent }, output)
}

function printKey(terminal: Terminal, command: Command): void {
  const { output, ...common } = commonOptionsOf(command)
  const connection = resolveConnection(terminal.env, common)
  const { apiKey } = credentialFor(connection, 'agent')
  show(terminal, output === 'json' ? { apiKey } : `${apiKey}\n`, output)
}
