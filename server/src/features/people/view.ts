import type { Alert, WalletFollow, WalletRelation, WalletWatch } from '@rookery/api'
import { agentSummaryView, bnb } from '../agents/view.js'
import type { AlertRow } from './alerts.js'
import type { Relation } from './follows.js'
import type { FollowedRow, WatchedRow } from './queries.js'

export function relationView(agentId: string, { is_following, price_move_percent }: Relation): WalletRelation {
  return { agentId, isFollowing: is_following, priceMovePercent: price_move_percent }
}

export function walletFollowView(row: FollowedRow): WalletFollow {
  return { ...agentSummaryView(row), followedAt: row.since.toISOString() }
}

export function walletWatchView(row: WatchedRow): WalletWatch {
  const { price_move_percent: priceMovePercent, since } = row
  return { ...agentSummaryView(row), priceMovePercent, watchedAt: since.toISOString() }
}

export function alertView(row: AlertRow): Alert {
  return {
    id: row.id,
    type: row.type,
    isRead: row.is_read,
    agent: {
      id: row.agent_id,
      username: row.agent_username,
      displayName: row.agent_display_name,
      avatarUrl: row.agent_avatar_url,
    },
    count: row.count,
    tweet:
      row.tweet_id === null
        ? null
        : { id: row.tweet_id, authorUsername: row.tweet_author ?? '', content: row.tweet_content ?? '' },
    price:
      row.percent === null || row.price_wei === null
        ? null
        : { movePercent: Math.round(row.percent * 100) / 100, sharePriceBNB: bnb(row.price_wei) },
    createdAt: row.at.toISOString(),
  }
}
