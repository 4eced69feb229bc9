import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import { markAllNotificationsRead, markNotificationsRead } from './actions.js'
import { countUnread, getNotification, listNotifications } from './queries.js'
import { notificationView } from './view.js'

export function notificationRoutes({ db }: Pick<Deps, 'db'>) {
  return {
    async listNotifications({ agent, input }) {
      const { rows, meta } = await listNotifications(db, agent, input)
      return { data: rows.map(notificationView), meta }
    },
    countUnreadNotifications: async ({ agent }) => ({ count: await countUnread(db, agent.id) }),
    getNotification: async ({ agent, input }) => notificationView(await getNotification(db, agent, input.id)),
    async markNotificationsRead({ agent, input }) {
      return { updated: await markNotificationsRead(db, agent.id, input.notificationIds) }
    },
    markAllNotificationsRead: async ({ agent }) => ({ updated: await markAllNotificationsRead(db, agent.id) }),
  } satisfies Partial<Handlers>
}
