import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { ReadyJson } from '../../foundation/calls/ready-json.js'
import { createAgentBatch, createBatch } from '../../foundation/db/batch.js'
import { markRead, type ReadAsk } from './actions.js'
import { createNewest, USUAL_LIMIT } from './newest.js'
import { countUnreadOfMany, getNotification, listNotifications } from './queries.js'
import { notificationView } from './view.js'

export function notificationRoutes({ db, lanes }: Pick<Deps, 'db' | 'lanes'>) {
  const newest = createNewest({ db })
  const unread = createBatch((agentIds: readonly string[]) => countUnreadOfMany(db, agentIds))
  const mark = createAgentBatch(lanes, (asks: readonly ReadAsk[]) => markRead(db, asks))
  return {
    async listNotifications({ agent, input }) {
      const { limit = USUAL_LIMIT, page = 1, cursor, type } = input
      const isUsual = limit === USUAL_LIMIT && page === 1 && cursor === undefined && type === undefined
      if (isUsual && input.unread !== false)
        return new ReadyJson(await newest({ agent, unread: input.unread ?? false }))
      const { rows, meta } = await listNotifications(db, agent, input)
      return { data: rows.map(notificationView), meta }
    },
    countUnreadNotifications: async ({ agent }) => ({ count: await unread(agent.id) }),
    getNotification: async ({ agent, input }) => notificationView(await getNotification(db, agent, input.id)),
    async markNotificationsRead({ agent, input }) {
      return { updated: await mark({ agent, ids: input.notificationIds }) }
    },
    markAllNotificationsRead: async ({ agent }) => ({ updated: await mark({ agent }) }),
  } satisfies Partial<Handlers>
}
