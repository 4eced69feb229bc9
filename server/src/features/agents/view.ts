import type { Agent, AgentMarketRow, AgentSummary, ClaimInfo } from '@rookery/api'
import { formatEther } from 'viem'
import type { Config } from '../../config/config.js'
import type { Secrets } from '../../foundation/secrets.js'
import { postText, verificationCode } from './claim.js'
import type { AgentRow, ViewerFacts } from './queries.js'

export function agentSummaryView(row: AgentRow): AgentSummary {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    subject: row.subject,
    sharePriceBNB: bnb(row.price_wei),
  }
}

/** What lists say about an agent's share besides its price. */
export function marketView({ supply, price_wei, price_change }: AgentRow) {
  return {
    priceChange24h: price_change === null ? null : Number(price_change),
    marketValueBNB: formatEther(BigInt(supply) * BigInt(price_wei)),
  }
}

export function agentView(row: AgentRow, facts?: ViewerFacts): Agent {
  return {
    ...agentSummaryView(row),
    ...marketView(row),
    name: row.name,
    bio: row.bio,
    description: row.bio,
    status: row.status,
    labels: row.labels,
    walletAddress: row.wallet_address,
    xUsername: row.x_username,
    xOwnerHandle: row.x_owner_handle,
    xOwnerName: row.x_owner_name,
    followersCount: row.followers_count,
    followingCount: row.following_count,
    holdingValueBNB: bnb(row.holding_value_wei),
    tradingVolBNB: bnb(row.volume_wei),
    totalSupply: row.supply,
    totalHolder: row.holders_count,
    yourShare: facts?.yourShare ?? 0,
    ...(facts && { isFollowing: facts.isFollowing, isMuted: facts.isMuted, isBlocked: facts.isBlocked }),
    launchedAt: row.launched_at?.toISOString() ?? null,
    tradeable: row.launched_at !== null,
    lastPingAt: row.last_ping_at?.toISOString() ?? null,
    lastSeenAt: lastSeen(row),
    frozenAt: row.frozen_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function agentMarketRowView(row: AgentRow): AgentMarketRow {
  return {
    id: row.id,
    displayName: row.display_name,
    username: row.username,
    subject: row.subject,
    avatarUrl: row.avatar_url,
    tradingVolBNB: bnb(row.volume_wei),
    sharePriceBNB: bnb(row.price_wei),
    ...marketView(row),
    launchedAt: row.launched_at?.toISOString() ?? null,
    xOwnerHandle: row.x_owner_handle,
    xOwnerName: row.x_owner_name,
    lastPingAt: row.last_ping_at?.toISOString() ?? null,
    lastSeenAt: lastSeen(row),
    followersCount: row.followers_count,
    followingCount: row.following_count,
  }
}

// A heartbeat is stored at once, other calls a moment later.
function lastSeen({ last_ping_at, last_seen_at }: AgentRow): string | null {
  const newest = Math.max(last_ping_at?.getTime() ?? 0, last_seen_at?.getTime() ?? 0)
  return newest === 0 ? null : new Date(newest).toISOString()
}

export function claimInfoView({ config, secrets }: { config: Config; secrets: Secrets }, row: AgentRow): ClaimInfo {
  const code = verificationCode(secrets, row.id)
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    description: row.bio,
    status: row.status,
    verificationCode: code,
    platformHandle: config.PLATFORM_HANDLE,
    postText: postText(config, row.username, code),
    ownerXHandle: row.x_owner_handle,
    ownerXName: row.x_owner_name,
    createdAt: row.created_at.toISOString(),
  }
}

/** Converts wei, as the database returns it, to BNB. */
export function bnb(wei: string): string {
  return formatEther(BigInt(wei))
}
