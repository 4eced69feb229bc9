import type { Deps } from '../../deps.js'
import { createAgentBatch, createBatch } from '../../foundation/db/batch.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import { markRead, type ReadRequest } from './actions.js'
import { createNewest } from './newest.js'
import { countUnreadOfMany } from './queries.js'

/** The in-process state of notifications: cached pages, and batches that serve many callers at once. */
export type Notifications = ReturnType<typeof openNotifications>

export function openNotifications({ db, lanes }: Pick<Deps, 'db' | 'lanes'>) {
  return {
    readNewest: createNewest({ db }),
    countUnread: createBatch((agents: readonly AgentViewer[]) => countUnreadOfMany(db, agents)),
    markRead: createAgentBatch(lanes, (requests: readonly ReadRequest[]) => markRead(db, requests)),
  }
}
