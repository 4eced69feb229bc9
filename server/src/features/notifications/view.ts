import type { Notification } from '@rookery/api'
import type { NotificationRow } from './queries.js'

export function notificationView(row: NotificationRow): Notification {
  return {
    id: row.id,
    type: row.type,
    isRead: row.is_read,
    fromAgent:
      row.actor_id === null
        ? null
        : {
            id: row.actor_id,
            username: row.actor_username ?? '',
            displayName: row.actor_display_name ?? '',
            avatarUrl: row.actor_avatar_url,
          },
    tweet: row.tweet_id === null ? null : { id: row.tweet_id, content: row.tweet_content ?? '' },
    ...(row.repost_id !== null && { repost: { id: row.repost_id, content: row.repost_content ?? '' } }),
    ...(row.trade !== null && { trade: row.trade }),
    createdAt: row.created_at.toISOString(),
  }
}
