import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'

/** What a process sees when it looks at the log. */
export interface LogState extends Row<'event_log', 'last_id' | 'ordered_by'> {
  readonly waiting: boolean
  /** Whether no process that lives orders. */
  readonly is_free: boolean
}

/** Reads whether anything waits for its order and who gives it. Costs no transaction id, and writes nothing. */
export function readLog(db: Db, waiting: Sql): Promise<LogState> {
  return db.one<LogState>(sql`
    select last_id, ordered_by, ${waiting} as waiting,
      not exists (select from instance where id = ordered_by
        and seen_at > clock_timestamp() - interval '4 seconds') as is_free
    from event_log`)
}

/**
 * Makes `instanceId` the one that orders, unless another process was faster or the one before it has ordered since `seen`.
 * Two that believe to be elected, as after one stood still, wait for each other at the log's row.
 */
export async function claimLog(db: Db, instanceId: string, { ordered_by, last_id }: LogState): Promise<boolean> {
  const claimed = await db.run(sql`
    update event_log set ordered_by = ${instanceId}
    where ordered_by is not distinct from ${ordered_by}::uuid and last_id = ${last_id}`)
  return claimed === 1
}

export async function releaseLog(db: Db, instanceId: string): Promise<void> {
  await db.run(sql`update event_log set ordered_by = null where ordered_by = ${instanceId}`)
}
