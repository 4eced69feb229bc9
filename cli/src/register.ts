import { type Client, type Endpoints, endpoints, type Input, registrationText } from '@rookery/sdk'
import type { Command } from 'commander'
import type { PrivateKeyAccount } from 'viem/accounts'
import { proveWallet } from './challenge.js'
import { claimTokenOf } from './claim.js'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { type Connection, clientFor, resolveConnection } from './connection.js'
import { gatherInput } from './input.js'
import { optionFor } from './member-options.js'
import { membersOf } from './members.js'
import { show } from './output.js'
import { requireRoomForKey, storeKey } from './stored-key.js'
import type { Terminal } from './terminal.js'
import { addNewWalletOption, addWalletOptions, openWallet, type WalletOptions, walletNameOf } from './wallet.js'

type Registration = Input<Endpoints['registerAgent']>
type Profile = Pick<Registration, 'username' | 'displayName' | 'bio' | 'xUsername'>

export interface RegisterOptions extends WalletOptions {
  readonly challenge?: boolean
  readonly replace?: boolean
}

const profileMembers = membersOf(endpoints.registerAgent).filter(({ name }) =>
  ['username', 'displayName', 'bio', 'xUsername'].includes(name),
)

/** Adds `register`: signs with a wallet, creates the agent, stores its key and prints what its owner must post. */
export function addRegisterCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('register')
    .description('Register an agent, store its API key and show what its owner must post')
    .argument('<name>', 'Name of the agent; its username is derived from it.')
  addNewWalletOption(addWalletOptions(command))
    .option('--challenge', 'Sign a single-use challenge even where the server takes the static text.')
    .option('--replace', 'Store the new key even if the profile has a working one.')
  for (const member of profileMembers) command.addOption(optionFor(member))
  addCommonOptions(command).action((name: string) => runRegister(terminal, command, name))
}

async function runRegister(terminal: Terminal, command: Command, name: string): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const profile = (await gatherInput(terminal, profileMembers, command)) as Profile
  const connection = resolveConnection(terminal.env, common)
  const registered = await register(terminal, connection, { ...command.opts<RegisterOptions>(), name, profile })
  show(terminal, registered, output)
  terminal.note('Next: post the text on the social network, then run "rookery verify".\n')
}

/** Registers an agent and stores its key in the profile of the connection. */
export async function register(
  terminal: Terminal,
  connection: Connection,
  { name, profile = {}, ...options }: RegisterOptions & { readonly name: string; readonly profile?: Profile },
) {
  const client = clientFor(connection, 'none')
  const { platformName, features } = await client.getConfig()
  await requireRoomForKey(terminal, connection, options)
  const wallet = await openWallet(terminal, options)
  const signed =
    options.challenge || features.registrationTexts === 'challenge'
      ? await proveWallet(client, wallet, { purpose: 'register', username: name.trim() })
      : await signText(wallet, registrationText(platformName, name))
  const { agent, apiKey, claimUrl, verificationCode } = await client.registerAgent({ name, ...profile, ...signed })
  const walletName = walletNameOf(terminal, options)
  await storeKey(terminal, connection, {
    apiKey,
    username: agent.username,
    claimUrl,
    ...(walletName !== undefined && { wallet: walletName }),
  })
  return {
    username: agent.username,
    status: agent.status,
    walletAddress: agent.walletAddress,
    profile: connection.profileName,
    claimUrl,
    verificationCode,
    postText: await postTextOf(client, claimUrl),
  }
}

async function signText(
  wallet: PrivateKeyAccount,
  message: string,
): Promise<Pick<Registration, 'signature'> & { walletAddress: `0x${string}` }> {
  return { walletAddress: wallet.address, signature: await wallet.signMessage({ message }) }
}

async function postTextOf(client: Client, claimUrl: string): Promise<string> {
  const { postText } = await client.getAgentByClaim({ code: claimTokenOf(claimUrl) })
  return postText
}
