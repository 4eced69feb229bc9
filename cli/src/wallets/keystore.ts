import { pbkdf2 as pbkdf2WithCallback, randomBytes, randomUUID, scrypt as scryptWithCallback } from 'node:crypto'
import { promisify } from 'node:util'
import type { Keystore } from 'ox/Keystore'
import type { Hex } from 'viem'
import { UsageError } from '../failures.js'
import { isRecord } from '../values.js'

/** A wallet in the format that Ethereum wallets share: Web3 Secret Storage, version 3. */
export type StoredWallet = Keystore & { readonly address?: string }

/** How much work one guess of the passphrase costs: 128 MB and about half a second. */
export const STRONG = { n: 2 ** 17, r: 8, p: 1 }

const KEY_BYTES = 32
// Others may use up to 256 MB; a file that asks for much more would only exhaust the memory of this machine.
const MOST_MEMORY = 1024 ** 3
const MOST_ROUNDS = 10_000_000

type Scrypt = (
  password: string,
  salt: Buffer,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>
const scrypt = promisify(scryptWithCallback) as Scrypt
const pbkdf2 = promisify(pbkdf2WithCallback)

/** Encrypts a private key with a passphrase. */
export async function encryptKey(
  privateKey: Hex,
  passphrase: string,
  { address, cost = STRONG }: { address: string; cost?: typeof STRONG },
): Promise<StoredWallet> {
  const { encrypt } = await import('ox/Keystore')
  const kdfparams = { dklen: KEY_BYTES, ...cost, salt: randomBytes(32).toString('hex') }
  const key = await deriveKey({ kdf: 'scrypt', kdfparams }, passphrase)
  const keystore = encrypt(privateKey, key, { kdf: 'scrypt', kdfparams, iv: randomBytes(16), id: randomUUID() })
  return { ...keystore, address: address.toLowerCase().replace(/^0x/, '') }
}

/** Decrypts a private key; undefined when the passphrase is wrong. */
export async function decryptKey(keystore: StoredWallet, passphrase: string): Promise<Hex | undefined> {
  const { decrypt } = await import('ox/Keystore')
  const key = await deriveKey(keystore.crypto as Derivation, passphrase)
  try {
    return decrypt(keystore, key)
  } catch {
    return undefined
  }
}

/** Reads a wallet file; undefined when the text is something else. */
export function parseKeystore(text: string): StoredWallet | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isKeystore(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isKeystore(value: unknown): value is StoredWallet {
  if (!isRecord(value) || value.version !== 3 || !isRecord(value.crypto)) return false
  const { cipher, cipherparams, ciphertext, kdf, kdfparams, mac } = value.crypto
  return (
    cipher === 'aes-128-ctr' &&
    isRecord(cipherparams) &&
    [cipherparams.iv, ciphertext, mac].every((text) => typeof text === 'string' && /^[0-9a-f]+$/i.test(text)) &&
    (kdf === 'scrypt' || kdf === 'pbkdf2') &&
    isRecord(kdfparams) &&
    typeof kdfparams.salt === 'string'
  )
}

// Derived here and not by the library: Node's own derivation is several times faster, and runs beside the program.
async function deriveKey({ kdf, kdfparams }: Derivation, passphrase: string): Promise<Hex> {
  const salt = Buffer.from(kdfparams.salt, 'hex')
  if (kdf === 'scrypt') {
    const { n, r, p } = kdfparams
    const memory = 128 * n * r
    if (!(memory <= MOST_MEMORY) || !(p <= 64)) throw new UsageError('This wallet file asks for too much memory.')
    if (n < 2 ** (16 * r))
      return hex(await scrypt(passphrase, salt, KEY_BYTES, { N: n, r, p, maxmem: 2 * memory + 1024 * 1024 }))
    // OpenSSL refuses a small r with a large n, which some wallets write.
    const { scrypt: scryptInJavaScript } = await import('ox/Keystore')
    const [key] = scryptInJavaScript({ password: passphrase, salt, n, r, p })
    return key()
  }
  if (!(kdfparams.c <= MOST_ROUNDS)) throw new UsageError('This wallet file asks for too much work.')
  return hex(await pbkdf2(passphrase, salt, kdfparams.c, KEY_BYTES, 'sha256'))
}

type Derivation =
  | { readonly kdf: 'scrypt'; readonly kdfparams: { n: number; r: number; p: number; salt: string } }
  | { readonly kdf: 'pbkdf2'; readonly kdfparams: { c: number; salt: string } }

function hex(bytes: Buffer): Hex {
  return `0x${bytes.toString('hex')}`
}
