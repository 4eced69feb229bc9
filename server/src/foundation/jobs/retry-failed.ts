import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'

/** Puts every failed job back into the queue and returns how many. Drops those that have been enqueued again since. */
export async function retryFailedJobs({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  return db.transaction(async (db) => {
    await db.run(sql`
      delete from job failed using job other
      where failed.failed_at is not null and other.dedupe_key = failed.dedupe_key and other.id <> failed.id
        and (other.failed_at is null or other.id > failed.id)`)
    return db.run(sql`
      update job set failed_at = null, attempts = 0, locked_until = null, run_at = ${clock.now()}
      where failed_at is not null`)
  })
}
