import { type Command, Option } from 'commander'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from './failures.js'
import { createPrivateFile, findPrivateFile } from './private-file.js'
import type { Terminal } from './terminal.js'

export interface WalletOptions {
  readonly keyFile?: string
  readonly newWallet?: string
}

export function addWalletOptions(command: Command): Command {
  return command.option('--key-file <file>', 'File with the private key of the wallet (or env: ROOKERY_PRIVATE_KEY).')
}

export function addNewWalletOption(command: Command): Command {
  const option = new Option('--new-wallet <file>', 'Create a wallet and write its private key to this new file.')
  return command.addOption(option.conflicts('keyFile'))
}

/** Opens the wallet that signs: a new one, the one in the file, or the one in the environment. */
export async function openWallet(
  terminal: Terminal,
  { keyFile, newWallet }: WalletOptions,
): Promise<PrivateKeyAccount> {
  const { ROOKERY_PRIVATE_KEY } = terminal.env
  if (newWallet !== undefined) return makeWallet(terminal, newWallet)
  if (keyFile !== undefined) return accountOf(findPrivateFile(keyFile), keyFile)
  if (ROOKERY_PRIVATE_KEY) return accountOf(ROOKERY_PRIVATE_KEY, 'ROOKERY_PRIVATE_KEY')
  throw new UsageError('Which wallet signs? Pass --key-file or --new-wallet, or set ROOKERY_PRIVATE_KEY.')
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
