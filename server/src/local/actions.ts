import sql from 'sql-template-tag'
import type { Deps } from '../deps.js'
import { getLocalPost, type LocalPostRow } from './queries.js'

/** Posts as an account, which is made when it posts for the first time. */
export function createLocalPost(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  input: { handle: string; name?: string; text: string },
): Promise<LocalPostRow> {
  const handle = input.handle.replace(/^@/, '').toLowerCase()
  const now = clock.now()
  const id = ids.next()
  return db.transaction(async (db) => {
    await db.run(sql`
      insert into local_x_account (handle, name, created_at) values (${handle}, ${input.name ?? handle}, ${now})
      on conflict (handle) do update set name = coalesce(${input.name ?? null}, local_x_account.name)`)
    await db.run(
      sql`insert into local_x_post (id, handle, text, created_at) values (${id}, ${handle}, ${input.text}, ${now})`,
    )
    return getLocalPost(db, id)
  })
}
