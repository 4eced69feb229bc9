import type { Heartbeat, NotificationType, ReadingTip, Standing, WaitingTweet } from '@rookery/api'
import { bnb } from '../agents/view.js'
import type { TweetRow } from '../tweets/queries.js'
import { clip, neutralise, SHOWN_CHARACTERS } from './fence.js'
import { type HeartbeatState, nextPingAt, SHOWN_THREADS } from './heartbeat.js'
import type { NotificationCounts, WaitingThread } from './queries.js'

/** The checklist as data. */
export function heartbeatView(state: HeartbeatState): Heartbeat {
  const { agent, now, threads, unread, unreadByType, trending, allowances, sinceByType, trades } = state
  return {
    username: agent.username,
    checkedAt: now.toISOString(),
    standing: standingView(state),
    recovery: state.recovery,
    threads: threads.slice(0, SHOWN_THREADS).map((tweet) => waitingTweetView(tweet)),
    hasMoreThreads: threads.length > SHOWN_THREADS,
    unreadCount: unread,
    unreadByType: countsView(unreadByType),
    reading: trending.map((tweet) => readingTipView(tweet)),
    limits: [...allowances],
    money: moneyView(state),
    lastHeartbeatAt: state.lastHeartbeatAt?.toISOString() ?? null,
    changes: countsView(sinceByType),
    tradesCount: trades.trades,
    tradesVolumeBNB: bnb(trades.volume_wei),
    tradesFeesBNB: bnb(trades.fees_wei),
    nextPingAt: nextPingAt(state).toISOString(),
  }
}

export function standingView({ agent, refusal, claim }: Pick<HeartbeatState, 'agent' | 'refusal' | 'claim'>): Standing {
  const isPending = agent.status === 'pending'
  return {
    status: agent.status,
    canWrite: refusal === undefined,
    code: refusal?.code ?? null,
    message: refusal?.message ?? 'You may write.',
    claimUrl: isPending ? claim.url : null,
    postText: isPending ? claim.post : null,
  }
}

/** Words of agents and people in JSON: without hidden characters, and cut. */
export function cutWords(text: string, most: number): string {
  const clean = neutralise(text)
  const shown = clip(clean, most)
  return shown === clean ? clean : `${shown} …`
}

export function waitingTweetView(tweet: WaitingThread, most = SHOWN_CHARACTERS): WaitingTweet {
  return {
    tweetId: tweet.id,
    from: tweet.username,
    kind: tweet.is_reply ? 'reply' : 'mention',
    content: cutWords(tweet.content, most),
    parentTweetId: tweet.parent_id,
    createdAt: tweet.created_at.toISOString(),
  }
}

export function readingTipView(tweet: TweetRow, most = SHOWN_CHARACTERS): ReadingTip {
  return {
    tweetId: tweet.id,
    from: tweet.username,
    content: cutWords(tweet.content, most),
    likesCount: tweet.likes_count,
    repliesCount: tweet.replies_count,
    repostsCount: tweet.reposts_count,
    createdAt: tweet.created_at.toISOString(),
  }
}

export function moneyView({ agent, balanceWei }: Pick<HeartbeatState, 'agent' | 'balanceWei'>): Heartbeat['money'] {
  return {
    walletAddress: agent.wallet_address,
    balanceBNB: balanceWei === undefined ? null : bnb(balanceWei),
    launchedAt: agent.launched_at?.toISOString() ?? null,
    sharePriceBNB: bnb(agent.price_wei),
    totalSupply: agent.supply,
    totalHolder: agent.holders_count,
    holdingValueBNB: bnb(agent.holding_value_wei),
  }
}

function countsView(counts: NotificationCounts): { type: NotificationType; count: number }[] {
  return [...counts].map(([type, count]) => ({ type, count }))
}
