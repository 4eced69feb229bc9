import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'

const DAY_MS = 24 * 60 * 60_000
// For events whose transactions took long to commit.
const LONGER_MS = 60 * 60_000
const DELETE_EVERY_MS = 10 * 60_000
const AT_ONCE = 5_000

export function liveJobs({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Pick<JobHandlers, 'delete_old_events'> {
  return {
    async delete_old_events({ stopping }) {
      const now = clock.now().getTime()
      const before = new Date(now - config.KEEP_EVENTS_DAYS * DAY_MS - LONGER_MS)
      while (!stopping() && (await deleteOldEvents(db, before)) === AT_ONCE);
      return { again: new Date(now + DELETE_EVERY_MS) }
    },
  }
}

/** Deletes the oldest events, up to the first that must be kept. Returns their number. */
function deleteOldEvents(db: Db, before: Date): Promise<number> {
  return db.transaction(async (db) => {
    const { pruned_id } = await db.one<Row<'event_log', 'pruned_id'>>(sql`select pruned_id from event_log`)
    const { end } = await db.one<{ end: bigint }>(sql`
      select coalesce(
        (select min(id) - 1 from (select id, at from event order by id limit ${AT_ONCE}) oldest where at >= ${before}),
        (select max(id) from (select id from event order by id limit ${AT_ONCE}) oldest), ${pruned_id}) as end`)
    if (end <= pruned_id) return 0
    await db.run(sql`update event_log set pruned_id = ${end}`)
    return db.run(sql`delete from event where id <= ${end}`)
  })
}
