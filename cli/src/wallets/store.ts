import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from '../failures.js'
import { createPrivateFile, findPrivateFile } from '../private-file.js'
import { configPath } from '../profiles.js'
import type { Terminal } from '../terminal.js'
import { decryptKey, encryptKey, parseKeystore, type StoredWallet } from './keystore.js'
import { type PassphraseOptions, readPassphrase } from './passphrase.js'

type Env = Terminal['env']

/** One wallet in the store, as far as it is known without its passphrase. */
export interface ListedWallet {
  readonly name: string
  readonly address: Hex | null
  readonly file: string
}

export function walletPath(env: Env, name: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/.test(name))
    throw new UsageError('The name of a wallet takes 1 to 64 letters, digits, dots, dashes and underscores.')
  return join(walletFolder(env), `${name}.json`)
}

export function walletFolder(env: Env): string {
  return join(dirname(configPath(env)), 'wallets')
}

export function requireFreeName(env: Env, name: string): void {
  if (findPrivateFile(walletPath(env, name)) !== undefined)
    throw new UsageError(`There is a wallet ${name} already. Choose another name.`)
}

/** Encrypts a key and stores it under a name that is not in use yet. */
export async function storeWallet(
  env: Env,
  name: string,
  { privateKey, passphrase }: { readonly privateKey: Hex; readonly passphrase: string },
): Promise<PrivateKeyAccount> {
  requireFreeName(env, name)
  const { privateKeyToAccount } = await import('viem/accounts')
  const account = privateKeyToAccount(privateKey)
  const keystore = await encryptKey(privateKey, passphrase, { address: account.address })
  const folder = walletFolder(env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  createPrivateFile(walletPath(env, name), `${JSON.stringify(keystore, null, 2)}\n`)
  return account
}

/** Opens a stored wallet with its passphrase. */
export async function unlockWallet(terminal: Terminal, name: string, options: PassphraseOptions): Promise<Hex> {
  const keystore = getStoredWallet(terminal.env, name)
  const passphrase = await readPassphrase(terminal, options, name)
  const privateKey = await decryptKey(keystore, passphrase)
  if (privateKey === undefined) throw new UsageError(`That is not the passphrase of wallet ${name}.`)
  const { privateKeyToAddress } = await import('viem/accounts')
  const named = addressOf(keystore)
  // The address is written in clear beside the encrypted key: somebody may have changed it.
  if (named !== null && named !== privateKeyToAddress(privateKey).toLowerCase())
    throw new UsageError(`The address in ${walletPath(terminal.env, name)} is not the one of its key.`)
  return privateKey
}

export function getStoredWallet(env: Env, name: string): StoredWallet {
  const path = walletPath(env, name)
  const text = findPrivateFile(path)
  if (text === undefined) {
    const names = listWallets(env).map((wallet) => wallet.name)
    const known = names.length > 0 ? `There are: ${names.join(', ')}.` : `Make one: rookery wallet new ${name}`
    throw new UsageError(`There is no wallet ${name}. ${known}`)
  }
  const keystore = parseKeystore(text)
  if (!keystore) throw new UsageError(`${path} is not a wallet in the keystore format, version 3.`)
  return keystore
}

export function listWallets(env: Env): ListedWallet[] {
  return storedNames(env).map((name) => {
    const text = findPrivateFile(walletPath(env, name))
    const keystore = text === undefined ? undefined : parseKeystore(text)
    return { name, address: keystore ? addressOf(keystore) : null, file: walletPath(env, name) }
  })
}

export function removeWallet(env: Env, name: string): void {
  getStoredWallet(env, name)
  rmSync(walletPath(env, name))
}

export function addressOf({ address }: StoredWallet): Hex | null {
  const digits = address?.toLowerCase().match(/^(?:0x)?([0-9a-f]{40})$/)?.[1]
  return digits === undefined ? null : `0x${digits}`
}

function storedNames(env: Env): string[] {
  try {
    return readdirSync(walletFolder(env))
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .toSorted()
  } catch {
    return []
  }
}
