import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { JobKind, JobPayloads, Queue } from './queue.js'

/** What was under way at a commit, and has not seen it, has been committed itself or has failed after this time. */
const UNDER_WAY_MS = 60_000

/**
 * Enqueues a job that brings what depends on a row in line with it, for now and for later: a transaction that began before
 * the row changed may still write something that the first run does not find.
 */
export async function enqueueTwice<Kind extends JobKind>(
  db: Db,
  { queue, clock }: { readonly queue: Queue; readonly clock: Clock },
  kind: Kind,
  payload: JobPayloads[Kind],
): Promise<void> {
  await queue.enqueue(db, kind, payload)
  await queue.enqueue(db, kind, payload, { runAt: new Date(clock.now().getTime() + UNDER_WAY_MS) })
}
