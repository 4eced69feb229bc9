import type { Handlers } from '../../call.js'
import { readAsked } from '../../foundation/db/asked.js'
import type { Page } from '../../foundation/db/paginate.js'
import { ReadyJson } from '../../foundation/ready-json.js'
import { muteTypes } from './mute.js'
import { DEFAULT_LIMIT } from './newest.js'
import type { Notifications } from './open.js'
import {
  getNotification,
  listAskedNotifications,
  listMuted,
  listNotifications,
  type NotificationRow,
} from './queries.js'
import { notificationView } from './view.js'

export function notificationRoutes({ readNewest, countUnread, markRead }: Notifications) {
  return {
    async listNotifications({ agent, input, deps: { db } }) {
      const { limit = DEFAULT_LIMIT, page = 1, cursor, type, ids } = input
      if (ids !== undefined) return viewPage(await listAskedNotifications(db, agent, readAsked(ids)))
      const isFirstPage = limit === DEFAULT_LIMIT && page === 1 && cursor === undefined && type === undefined
      if (isFirstPage && input.unread !== false)
        return new ReadyJson(await readNewest({ agent, unread: input.unread ?? false }))
      return viewPage(await listNotifications(db, agent, input))
    },
    countUnreadNotifications: async ({ agent }) => ({ count: await countUnread(agent) }),
    getNotificationPreferences: async ({ agent, deps: { db } }) => ({ muted: await listMuted(db, agent.id) }),
    updateNotificationPreferences: async ({ agent, input: { muted }, deps: { db } }) => ({
      muted: await muteTypes(db, agent.id, muted),
    }),
    getNotification: async ({ agent, input, deps: { db } }) =>
      notificationView(await getNotification(db, agent, input.id)),
    async markNotificationsRead({ agent, input }) {
      return { updated: await markRead({ agent, ids: input.notificationIds }) }
    },
    markAllNotificationsRead: async ({ agent }) => ({ updated: await markRead({ agent }) }),
  } satisfies Partial<Handlers>
}

function viewPage({ rows, meta }: Page<NotificationRow>) {
  return { data: rows.map(notificationView), meta }
}
