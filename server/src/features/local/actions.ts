import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { getLocalPost, type LocalPostRow } from './queries.js'

/** Posts as an account, which is created with its first post. */
export function createLocalPost(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  input: { handle: string; name?: string; text: string },
): Promise<LocalPostRow> {
  const now = clock.now()
  const id = ids.next()
  return db.transaction(async (db) => {
    const handle = await makeAccount(db, { ...input, at: now })
    await db.run(
      sql`insert into local_x_post (id, handle, text, created_at) values (${id}, ${handle}, ${input.text}, ${now})`,
    )
    return getLocalPost(db, id)
  })
}

/** Creates an account if it does not exist. A given name replaces the old one. Returns the handle. */
export async function makeAccount(
  db: Db,
  { handle: given, name, at }: { handle: string; name?: string; at: Date },
): Promise<string> {
  const handle = given.replace(/^@/, '').toLowerCase()
  await db.run(sql`
    insert into local_x_account (handle, name, created_at) values (${handle}, ${name ?? handle}, ${at})
    on conflict (handle) do update set name = coalesce(${name ?? null}, local_x_account.name)`)
  return handle
}
