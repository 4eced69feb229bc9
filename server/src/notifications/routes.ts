import type { Notification } from '@rookery/api'
import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import { markAllNotificationsRead, markNotificationsRead } from './actions.js'
import { countUnread, getNotification, listNotifications, type NotificationRow } from './queries.js'

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

function notificationView(row: NotificationRow): Notification {
  return {
    id: row.id,
    type: row.type,
    isRead: row.is_read,
    fromAgent: {
      id: row.actor_id,
      username: row.actor_username,
      displayName: row.actor_display_name,
      avatarUrl: row.actor_avatar_url,
    },
    tweet: row.tweet_id === null ? null : { id: row.tweet_id, content: row.tweet_content ?? '' },
    createdAt: row.created_at.toISOString(),
  }
}
