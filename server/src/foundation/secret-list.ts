import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { seal, unseal } from '../base/sealed.js'
import { ConfigError } from '../config/config.js'
import type { Db } from './db/db.js'
import type { Row } from './db/row.js'
import { createSecrets, deriveKey, fingerprintOf, listSecrets, type Roots, type Secrets, secretId } from './secrets.js'

// For each secret of the list, the table `setting` has the one that the database was made with, sealed by it. So a secret can be
// dropped, that first one too, and what lasts keeps its keys.

/** What the database knows of a secret. */
export interface SecretRecord {
  readonly id: string
  /** Since when another one is the first of the list; null for the first. */
  readonly replacedAt: Date | null
}

/** Counts what can be decrypted with none of these secrets, in words: `3 webhooks`. */
export type FindDependents = (db: Db, ids: readonly string[]) => Promise<string[]>

const PREFIX = 'secret '
const PURPOSE = 'first-secret'
// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_381

interface StoredSecret extends SecretRecord {
  readonly sealed: Buffer
}

/**
 * Opens the secrets of a list, newest first, and records new ones. Refuses a list without any that this database knows, since every
 * key would be dead, and one without a secret that something still depends on.
 */
export function openSecrets(
  db: Db,
  { given, now, findDependents }: { given: string; now: Date; findDependents: FindDependents },
): Promise<Secrets> {
  const list = listSecrets(given)
  const ids = list.map(secretId)
  return db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const stored = await listStored(db)
    const roots = findRoots(list, stored) ?? (await claimRoot(db, list, stored))
    const dropped = stored.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
    if (dropped.length > 0) await drop(db, dropped, await findDependents(db, ids))
    for (const [index, secret] of list.entries()) {
      const known = stored.find(({ id }) => id === ids[index])
      const replacedAt = index === 0 ? null : (known?.replacedAt ?? now)
      if (!known || known.replacedAt?.getTime() !== replacedAt?.getTime())
        await store(db, { secret, roots, replacedAt })
    }
    return createSecrets(roots, list)
  })
}

/** Gives claim links and verification codes another key. Returns the secrets with it; other processes have the old until they restart. */
export function renewClaims(db: Db, given: string): Promise<Secrets> {
  const list = listSecrets(given)
  return db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const stored = await listStored(db)
    const known = findRoots(list, stored)
    if (!known) throw new Error('The secrets have not been opened')
    const roots = { ...known, claims: randomBytes(32).toString('base64url') }
    for (const secret of list) {
      const replacedAt = stored.find(({ id }) => id === secretId(secret))?.replacedAt ?? null
      await store(db, { secret, roots, replacedAt })
    }
    return createSecrets(roots, list)
  })
}

export async function listSecretRecords(db: Db): Promise<SecretRecord[]> {
  return (await listStored(db)).map(({ id, replacedAt }) => ({ id, replacedAt }))
}

/** The id of the secret that a row of the table `setting` records. */
export function secretIdOf(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
}

async function listStored(db: Db): Promise<StoredSecret[]> {
  const rows = await db.many<Row<'setting', 'name' | 'value'>>(
    sql`select name, value from setting where starts_with(name, ${PREFIX}) order by name`,
  )
  return rows.map(({ name, value }) => {
    const { sealed, replacedAt } = JSON.parse(value) as { sealed: string; replacedAt: string | null }
    return {
      id: name.slice(PREFIX.length),
      sealed: Buffer.from(sealed, 'base64'),
      replacedAt: replacedAt === null ? null : new Date(replacedAt),
    }
  })
}

/** The secret that the database was made with, opened by one that it knows. */
function findRoots(list: readonly string[], stored: readonly StoredSecret[]): Roots | undefined {
  for (const secret of list) {
    const known = stored.find(({ id }) => id === secretId(secret))
    if (known) return JSON.parse(unseal(deriveKey(secret, PURPOSE), known.sealed))
  }
  return undefined
}

/** The same where nothing is recorded: of a new database, or one of a version that knew one secret only. */
async function claimRoot(db: Db, list: readonly string[], stored: readonly StoredSecret[]): Promise<Roots> {
  await db.run(sql`
    insert into setting (name, value) values ('secret_fingerprint', ${fingerprintOf(list[0] ?? '')})
    on conflict do nothing`)
  const { value } = await db.one<Row<'setting', 'value'>>(
    sql`select value from setting where name = 'secret_fingerprint'`,
  )
  const root = list.find((secret) => fingerprintOf(secret) === value)
  if (root !== undefined && stored.length === 0) return { root }
  throw new ConfigError(
    'SERVER_SECRET is not the one this database was made with. Set it to the same text on every instance, ' +
      'or keep the DATA_DIR in which it was generated. A new one goes in front of it, with a comma between.',
  )
}

async function drop(db: Db, ids: readonly string[], dependents: readonly string[]): Promise<void> {
  if (dependents.length > 0)
    throw new ConfigError(
      `SERVER_SECRET no longer has the secret ${ids.join(', ')}, which ${dependents.join(' and ')} still depend on. ` +
        'Put it back at the end of the list, run `npm run operate -- secrets`, and drop it when that says so.',
    )
  await db.run(sql`delete from setting where name = any(${ids.map((id) => PREFIX + id)}::text[])`)
}

async function store(
  db: Db,
  { secret, roots, replacedAt }: { secret: string; roots: Roots; replacedAt: Date | null },
): Promise<void> {
  const sealed = seal(deriveKey(secret, PURPOSE), JSON.stringify(roots)).toString('base64')
  await db.run(sql`
    insert into setting (name, value)
    values (${PREFIX + secretId(secret)}, ${JSON.stringify({ sealed, replacedAt })})
    on conflict (name) do update set value = excluded.value`)
}

/** Refuses a secret other than the one this database was made with. */
export async function checkSecret(db: Db, secret: string): Promise<void> {
  const stored = await listStored(db)
  if (findRoots([secret], stored) === undefined) await claimRoot(db, [secret], stored)
}
