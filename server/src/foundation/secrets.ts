import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBank, PUBLIC_BANK_KEY } from '@rookery/embedded-chain/genesis'
import { findBank } from '@rookery/embedded-chain/manifest'
import { seal, unsealByAny } from '../base/sealed.js'
import { ConfigError } from '../config/config.js'

/**
 * What lasts: its key never changes, so that nothing has to be made again. Hashes by which random values are found again, of which
 * their key reveals nothing; claim links and codes that people already hold; digests in the audit log, which is only added to; and the key
 * that push services know.
 */
export type Lasting =
  | 'api-key'
  | 'audit-words'
  | 'erased'
  | 'refresh-token'
  | 'login-browser'
  | 'realtime-ticket'
  | 'local-code'
  | 'local-token'
  | 'idempotency-key'
  | 'idempotency-credential'
  | 'push-subscription'
  | 'claim-token'
  | 'verification-code'
  | 'verification-code-lookup'
  | 'vapid'

/** What is made with the newest secret, and accepted from each of the list. */
export type Replaced =
  | 'fingerprint'
  | 'idempotency-body'
  | 'login-state'
  | 'login-verifier'
  | 'media-url'
  | 'owner-token'
  | 'push-subscription'
  | 'viewer'
  | 'webhook-secret'

/** Keys derived from the installation's secrets, one per purpose. */
export interface Secrets {
  /** Short names of the secrets in the list, newest first. They reveal nothing. */
  readonly ids: readonly string[]
  /** A keyed hash by which a text is found again. */
  hash(purpose: Lasting, text: string): Buffer
  /** A 256-bit key that never changes. */
  key(purpose: Lasting): Buffer
  /** The 256-bit keys of the list, newest first. */
  keys(purpose: Replaced): readonly Buffer[]
  /** A keyed hash with the newest secret. */
  sign(purpose: Replaced, text: string): Buffer
  /** The same with each secret of the list, newest first. */
  signatures(purpose: Replaced, text: string): readonly Buffer[]
  /** Encrypts with the newest secret. */
  seal(purpose: Replaced, text: string): Buffer
  /** Decrypts what any secret of the list has encrypted; throws when none has. */
  unseal(purpose: Replaced, sealed: Buffer): string
}

const SHORTEST = 32

/** The secrets of a list: commas, spaces and lines are between them. A text of which a part is too short is one secret. */
export function listSecrets(text: string): string[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  return parts.every((part) => part.length >= SHORTEST) && parts.length > 0 ? [...new Set(parts)] : [text]
}

/** Secrets whose keys last: the one that the database was made with, and another for claims once those are renewed. */
export interface Roots {
  readonly root: string
  readonly claims?: string | undefined
}

/** The list has the newest first. */
export function createSecrets(roots: string | Roots, given?: readonly string[]): Secrets {
  const { root, claims = root } = typeof roots === 'string' ? { root: roots } : roots
  const list = given ?? [root]
  const [first, ofClaims] = [deriveKeys(root), deriveKeys(claims)]
  const lasting = (purpose: Lasting) => (isClaim(purpose) ? ofClaims : first)(purpose)
  const replaced = list.map(deriveKeys)
  if (replaced.length === 0) throw new Error('A secret is needed')
  const keysOf = (purpose: Replaced) => replaced.map((keys) => keys(purpose))
  const newest = (purpose: Replaced) => replaced[0]?.(purpose) as Buffer
  return {
    ids: list.map(secretId),
    hash: (purpose, text) => mac(lasting(purpose), text),
    key: lasting,
    keys: keysOf,
    sign: (purpose, text) => mac(newest(purpose), text),
    signatures: (purpose, text) => keysOf(purpose).map((key) => mac(key, text)),
    seal: (purpose, text) => seal(newest(purpose), text),
    unseal: (purpose, sealed) => unsealByAny(keysOf(purpose), sealed),
  }
}

function isClaim(purpose: Lasting): boolean {
  return purpose === 'claim-token' || purpose === 'verification-code'
}

/** Tells a secret from others without revealing it. */
export function fingerprintOf(secret: string): string {
  return mac(deriveKeys(secret)('fingerprint'), 'rookery').toString('hex')
}

/** The beginning of a secret's fingerprint. */
export function secretId(secret: string): string {
  return fingerprintOf(secret).slice(0, 16)
}

/** One key of one secret. */
export function deriveKey(secret: string, purpose: 'first-secret'): Buffer {
  return deriveKeys(secret)(purpose)
}

function deriveKeys(secret: string): (purpose: string) => Buffer {
  const derived = new Map<string, Buffer>()
  return (purpose) => {
    const existing = derived.get(purpose)
    if (existing) return existing
    const made = Buffer.from(hkdfSync('sha256', secret, 'rookery', purpose, 32))
    derived.set(purpose, made)
    return made
  }
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Returns the generated secret of an installation without SERVER_SECRET, or the list that it has become. */
export function readOrMakeSecret(dataDir: string): Promise<string> {
  return readOrMake(dataDir, 'server-secret', () => randomBytes(32).toString('base64url'))
}

/** Returns the generated key for the embedded chain of an installation without OPERATOR_PRIVATE_KEY. */
export async function readOrMakeOperatorKey(dataDir: string): Promise<`0x${string}`> {
  const key = await readOrMake(dataDir, 'operator-key', () => `0x${randomBytes(32).toString('hex')}`)
  return key as `0x${string}`
}

/**
 * Returns the key of the embedded chain's bank. A chain that is older than generated keys keeps the one it was made with,
 * which is public.
 */
export async function readOrMakeBankKey(dataDir: string): Promise<`0x${string}`> {
  const bank = await findBank(join(dataDir, 'chain'))
  const isPublic = bank === createBank(PUBLIC_BANK_KEY).address.toLowerCase()
  if (bank && !isPublic && (await read(join(dataDir, 'bank-key'))) === undefined)
    throw new ConfigError(
      `${join(dataDir, 'bank-key')} is missing, which the embedded chain was made with. Restore it from a backup.`,
    )
  const key = await readOrMake(dataDir, 'bank-key', () =>
    isPublic ? PUBLIC_BANK_KEY : `0x${randomBytes(32).toString('hex')}`,
  )
  return key as `0x${string}`
}

async function readOrMake(dataDir: string, name: string, make: () => string): Promise<string> {
  const file = join(dataDir, name)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const existing = await read(file)
  if (existing !== undefined) return existing
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`
  await write(draft, make())
  // The file appears complete, and if another process made one at the same moment, that one is kept.
  await link(draft, file).catch((error: NodeJS.ErrnoException) =>
    // Some file systems do not support links.
    error.code === 'EEXIST' ? undefined : rename(draft, file),
  )
  await rm(draft, { force: true })
  return (await read(file)) ?? ''
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text?.trim() === '') throw new ConfigError(`${file} is empty. Restore it from a backup.`)
  return text?.trim()
}

async function write(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
