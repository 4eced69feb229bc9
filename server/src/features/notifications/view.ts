import type { Notification, NotifiedTrade, OutsideTrade } from '@rookery/api'
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
    ...(row.trade !== null && tradeOf(row.type, row.trade)),
    ...(row.decision !== null && { decision: row.decision }),
    createdAt: row.created_at.toISOString(),
  }
}

function tradeOf(type: Notification['type'], trade: NotifiedTrade | OutsideTrade): Partial<Notification> {
  return type === 'TRADE_OUTSIDE_RULES' ? { outsideTrade: trade as OutsideTrade } : { trade: trade as NotifiedTrade }
}
