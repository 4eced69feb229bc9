import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Job } from '../../foundation/jobs/worker.js'
import { removeNotifications } from './actions.js'

// A few thousand rows.
const PAGES = 64
const PAGE_BYTES = 8192

/**
 * Removes all notifications of a partition from the inboxes, so that what agents are told of their number stays right while
 * it goes. In the order of the table's pages, which needs no index; what moves meanwhile is found by the next pass.
 */
export async function emptyPartition(db: Db, name: string, job: Pick<Job, 'stopping' | 'rest'>): Promise<void> {
  while (!job.stopping() && (await hasRows(db, name))) {
    const { bytes } = await db.one<{ bytes: number }>(sql`select pg_relation_size(${name})::float8 as bytes`)
    for (let page = 0; page < bytes / PAGE_BYTES && !job.stopping(); page += PAGES) {
      await removeNotifications(
        db,
        sql`select agent_id, id from ${raw(name)}
          where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES},0)`}::tid`,
      )
      await job.rest()
    }
  }
}

async function hasRows(db: Db, name: string): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`select exists (select from ${raw(name)}) as found`)
  return found
}
