import sql from 'sql-template-tag'
import type { Clock } from '../base/clock.js'
import type { Db } from './db/db.js'
import type { Secrets } from './secrets.js'

/** What somebody who was erased had, and nobody else gets: a username, the slug of an item, a signature that is spent. */
export type HeldName = `username ${string}` | `slug ${string}` | `signature ${string}`

type HeldDeps = { readonly secrets: Pick<Secrets, 'hash'>; readonly clock: Clock }

/** Keeps a name from others until a time, or for ever without one. Only a keyed digest of it is stored. */
export async function holdName(db: Db, { secrets }: HeldDeps, name: HeldName, until?: Date): Promise<void> {
  await db.run(sql`
    insert into held_name (digest, held_until) values (${secrets.hash('erased', name)}, ${until ?? null})
    on conflict (digest) do update set held_until = excluded.held_until`)
}

/** Those of the names that are held. */
export async function findHeld<Name extends HeldName>(
  db: Db,
  { secrets, clock }: HeldDeps,
  names: readonly Name[],
): Promise<Set<Name>> {
  const byDigest = new Map(names.map((name) => [secrets.hash('erased', name).toString('hex'), name]))
  const rows = await db.many<{ digest: Buffer }>(sql`
    select digest from held_name where digest = any(${[...byDigest.keys()].map((hex) => Buffer.from(hex, 'hex'))}::bytea[])
      and (held_until is null or held_until > ${clock.now()})`)
  return new Set(rows.flatMap(({ digest }) => byDigest.get(digest.toString('hex')) ?? []))
}

export async function isHeld(db: Db, deps: HeldDeps, name: HeldName): Promise<boolean> {
  return (await findHeld(db, deps, [name])).size > 0
}

/** Forgets names that are free again. */
export async function forgetFreeNames(db: Db, { clock }: Pick<HeldDeps, 'clock'>): Promise<void> {
  await db.run(sql`delete from held_name where held_until <= ${clock.now()}`)
}
