import { type Command, Option } from 'commander'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from './failures.js'
import { createPrivateFile, findPrivateFile } from './private-file.js'
import type { Profile } from './profiles.js'
import type { Terminal } from './terminal.js'
import { addPassphraseOptions, type PassphraseOptions } from './wallets/passphrase.js'
import { unlockWallet } from './wallets/store.js'

export interface WalletOptions extends PassphraseOptions {
  readonly wallet?: string
  readonly keyFile?: string
  readonly newWallet?: string
}

export function addWalletOptions(command: Command): Command {
  const wallet = new Option('--wallet <name>', 'Stored wallet that signs (env: ROOKERY_WALLET; see rookery wallet).')
  const keyFile = '--key-file <file>'
  return addPassphraseOptions(
    command
      .addOption(wallet.conflicts('keyFile'))
      .option(keyFile, 'File with the private key in clear, instead of a stored wallet (env: ROOKERY_PRIVATE_KEY).'),
  )
}

export function addNewWalletOption(command: Command): Command {
  const option = new Option('--new-wallet <file>', 'Create a wallet and write its private key in clear to this file.')
  return command.addOption(option.conflicts(['keyFile', 'wallet']))
}

/**
 * Opens the wallet that signs: the one that an option names, then the one in the environment, then the one that the
 * profile's agent was registered with.
 */
export async function openWallet(
  terminal: Terminal,
  options: WalletOptions,
  profile?: Pick<Profile, 'wallet'>,
): Promise<PrivateKeyAccount> {
  const { keyFile, newWallet } = options
  const { ROOKERY_PRIVATE_KEY } = terminal.env
  if (newWallet !== undefined) return makeWallet(terminal, newWallet)
  if (keyFile !== undefined) return accountOf(findPrivateFile(keyFile), keyFile)
  if (options.wallet === undefined && ROOKERY_PRIVATE_KEY) return accountOf(ROOKERY_PRIVATE_KEY, 'ROOKERY_PRIVATE_KEY')
  const name = walletNameOf(terminal, options, profile)
  if (name !== undefined) return accountOf(await unlockWallet(terminal, name, options), `Wallet ${name}`)
  throw new UsageError(
    'Which wallet signs? Make one with "rookery wallet new <name>" and pass --wallet <name>, or pass --key-file.',
  )
}

/** The stored wallet that would sign, if it is one. */
export function walletNameOf(
  { env }: Terminal,
  { wallet, keyFile, newWallet }: WalletOptions,
  profile?: Pick<Profile, 'wallet'>,
): string | undefined {
  if (keyFile !== undefined || newWallet !== undefined) return undefined
  if (wallet !== undefined) return wallet
  return env.ROOKERY_PRIVATE_KEY ? undefined : env.ROOKERY_WALLET || profile?.wallet
}

async function makeWallet(terminal: Terminal, file: string): Promise<PrivateKeyAccount> {
  const { generatePrivateKey, privateKeyToAccount } = await importAccounts()
  const key = generatePrivateKey()
  createPrivateFile(file, `${key}\n`)
  const account = privateKeyToAccount(key)
  terminal.note(`New wallet ${account.address}. Its private key is in ${file}; keep it safe.\n`)
  return account
}

async function accountOf(text: string | undefined, source: string): Promise<PrivateKeyAccount> {
  const { privateKeyToAccount } = await importAccounts()
  if (text === undefined) throw new UsageError(`${source} does not exist.`)
  const digits = text.trim().match(/^(?:0x)?([0-9a-fA-F]{64})$/)?.[1]
  try {
    return privateKeyToAccount(`0x${digits ?? ''}`)
  } catch {
    throw new UsageError(`${source} holds no private key: 64 hex digits, with or without 0x.`)
  }
}

// Imported on demand: loading it takes longer than most commands run, and few of them sign.
function importAccounts(): Promise<typeof import('viem/accounts')> {
  return import('viem/accounts')
}
