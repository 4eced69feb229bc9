import { type AgentControls, type Approval, endpoints, type PendingApproval } from '@rookery/api'
import { formatEther } from 'viem'
import type { Config } from '../../config/config.js'
import type { ApprovalRow } from './approval-row.js'
import type { Rules } from './rules.js'

export function controlsView(agentId: string, rules: Rules, tradedTodayWei: bigint): AgentControls {
  return {
    agentId,
    frozenAt: rules.frozenAt?.toISOString() ?? null,
    frozenReason: rules.frozenReason,
    maxDailyPosts: rules.maxDailyPosts,
    maxTradeBNB: bnb(rules.maxTradeWei),
    maxDailyTradeBNB: bnb(rules.maxDailyTradeWei),
    allowedActions: rules.allowedActions,
    approvePostsAfter: rules.approvePostsAfter,
    approveTradesAboveBNB: bnb(rules.approveTradesAboveWei),
    recoveryWaits: rules.recoveryWaits,
    postsToday: rules.postsToday,
    tradedTodayBNB: formatEther(tradedTodayWei),
    updatedAt: rules.updatedAt?.toISOString() ?? null,
  }
}

function bnb(wei: bigint | null): string | null {
  return wei === null ? null : formatEther(wei)
}

/** The answer to a post that waits for its owner. */
export function pendingApprovalView({ webUrl }: Pick<Config, 'webUrl'>, row: ApprovalRow): PendingApproval {
  return {
    ...approvalView(row),
    status: 'pending_approval',
    message:
      `Nothing is published yet. The owner decides by ${row.expires_at.toISOString()}; you receive approval.decided, ` +
      'and tweet.id of this approval then names what was published.',
    url: `${webUrl}${endpoints.getMyApproval.path.replace(':approvalId', row.id)}`,
  }
}

/** `sign` makes the files of a post that waits readable for its owner. */
export function approvalView(row: ApprovalRow, sign: (url: string) => string = (url) => url): Approval {
  const { tweet, trade } = row
  return {
    id: row.id,
    agentId: row.agent_id,
    action: row.action,
    status: row.status,
    summary: row.summary,
    tweet: tweet && {
      id: row.tweet_id,
      content: tweet.content,
      visibility: tweet.visibility ?? 'public',
      medias: (tweet.medias ?? []).map(({ type, url }) => ({ type, url: sign(url) })),
      parentTweetId: tweet.parentTweetId ?? null,
    },
    trade: trade && {
      side: trade.side,
      sharesSubject: trade.sharesSubject,
      amount: trade.amount,
      to: trade.to,
      worthBNB: formatEther(BigInt(row.worth_wei ?? 0)),
    },
    note: row.note,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  }
}
