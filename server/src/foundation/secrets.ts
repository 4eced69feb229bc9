import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBank, PUBLIC_BANK_KEY } from '@rookery/embedded-chain/genesis'
import { findBank } from '@rookery/embedded-chain/manifest'
import sql from 'sql-template-tag'
import { ConfigError } from '../config/config.js'
import type { Db } from './db/db.js'
import type { Row } from './db/row.js'

/** Keys derived from the installation's secret, one per purpose. */
export interface Secrets {
  /** A keyed hash, for storing a text that must not be readable. */
  hash(purpose: string, text: string): Buffer
  /** A 256-bit key for a purpose. */
  key(purpose: string): Buffer
}

export function createSecrets(root: string): Secrets {
  const derived = new Map<string, Buffer>()
  function key(purpose: string): Buffer {
    const existing = derived.get(purpose)
    if (existing) return existing
    const made = Buffer.from(hkdfSync('sha256', root, 'rookery', purpose, 32))
    derived.set(purpose, made)
    return made
  }
  return { key, hash: (purpose, text) => createHmac('sha256', key(purpose)).update(text).digest() }
}

/** Returns the generated secret of an installation without SERVER_SECRET. */
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

/** Refuses a secret other than the one this database was used with: every key would be dead. */
export async function checkSecret(db: Db, secrets: Secrets): Promise<void> {
  const fingerprint = secrets.hash('fingerprint', 'rookery').toString('hex')
  await db.run(
    sql`insert into setting (name, value) values ('secret_fingerprint', ${fingerprint}) on conflict do nothing`,
  )
  const { value } = await db.one<Row<'setting', 'value'>>(
    sql`select value from setting where name = 'secret_fingerprint'`,
  )
  if (value !== fingerprint)
    throw new ConfigError(
      'SERVER_SECRET is not the one this database was made with. Set it to the same text on every instance, ' +
        'or keep the DATA_DIR in which it was generated.',
    )
}
