import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import { type Db, every } from '../db/db.js'

/**
 * Puts failed jobs back into the queue, all or those of a kind or with an id, and returns how many. Drops those that have been
 * enqueued again since.
 */
export async function retryFailedJobs(
  { db, clock }: { db: Db; clock: Clock },
  { kind, id }: { kind?: string | undefined; id?: string | undefined } = {},
): Promise<number> {
  const wanted = every([
    sql`failed.failed_at is not null`,
    ...(kind === undefined ? [] : [sql`failed.kind = ${kind}`]),
    ...(id === undefined ? [] : [sql`failed.id = ${id}`]),
  ])
  return db.transaction(async (db) => {
    await db.run(sql`
      delete from job failed using job other
      where ${wanted} and other.dedupe_key = failed.dedupe_key and other.id <> failed.id
        and (other.failed_at is null or other.id > failed.id)`)
    return db.run(sql`
      update job failed set failed_at = null, attempts = 0, locked_until = null, run_at = ${clock.now()} where ${wanted}`)
  })
}
