import type { Command } from 'commander'
import { proveWallet } from './challenge.js'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { show } from './output.js'
import { requireRoomForKey, storeKey } from './stored-key.js'
import type { Terminal } from './terminal.js'
import { addWalletOptions, openWallet, type WalletOptions } from './wallet.js'

interface RecoverOptions extends WalletOptions {
  readonly username?: string
  readonly replace?: boolean
}

/** Adds `recover`: the wallet signs a challenge, and the new key replaces all older ones. */
export function addRecoverCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('recover')
    .description(
      'Get a new API key with the wallet; all older keys stop working at once. For an agent in use it begins a wait, then repeat it',
    )
    .option('--username <name>', 'Which agent of the wallet. Default: the oldest.')
    .option('--replace', 'Store the new key even if the profile has a working one.')
  addCommonOptions(addWalletOptions(command)).action(() => runRecover(terminal, command))
}

async function runRecover(terminal: Terminal, command: Command): Promise<void> {
  const options = command.opts<RecoverOptions>()
  const { output, ...common } = commonOptionsOf(command)
  const connection = resolveConnection(terminal.env, common)
  const client = clientFor(connection, 'none')
  const wallet = await openWallet(terminal, options, connection.profile)
  await requireRoomForKey(terminal, connection, options)
  const which = options.username === undefined ? {} : { username: options.username }
  const signed = await proveWallet(client, wallet, { purpose: 'recover', ...which })
  const { agent, apiKey } = await client.recoverAgent({ ...signed, ...which })
  await storeKey(terminal, connection, { apiKey, username: agent.username })
  show(terminal, { username: agent.username, status: agent.status, profile: connection.profileName }, output)
}
