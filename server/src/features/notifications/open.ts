import type { Deps } from '../../deps.js'
import { createAgentBatch, createBatch } from '../../foundation/db/batch.js'
import { markRead, type ReadAsk } from './actions.js'
import { createNewest } from './newest.js'
import { countUnreadOfMany } from './queries.js'

/** What notifications keep while the process runs: batches that read and write for many callers at once. */
export type Notifications = ReturnType<typeof openNotifications>

export function openNotifications({ db, lanes }: Pick<Deps, 'db' | 'lanes'>) {
  return {
    readNewest: createNewest({ db }),
    countUnread: createBatch((agentIds: readonly string[]) => countUnreadOfMany(db, agentIds)),
    markRead: createAgentBatch(lanes, (asks: readonly ReadAsk[]) => markRead(db, asks)),
  }
}
