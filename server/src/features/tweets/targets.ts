import type { Tweet } from '@rookery/api'
import sql, { empty, type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { rowAt } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import { isBlocked, visibleToAgent, WITHHELD } from '../../foundation/db/visibility.js'

/** An agent and the tweet it wants to act on. */
export interface TargetRequest {
  readonly agent: Pick<AgentIdentity, 'id' | 'subject' | 'walletAddress'>
  readonly id: string
}

/** Members that the rows of `request` have besides, and their columns. */
interface MoreMembers {
  readonly members: readonly object[]
  readonly columns: Sql
}

/**
 * Whether a tweet, which is a row, is a repost without content of its own: it only passes on its original. One with
 * content is a tweet like any other.
 */
export const isBareRepost = (row: Sql) => sql`(${row}.type = 'REPOST' and ${row}.content = '' and ${row}.medias = '[]')`

/** The same outside of a statement. */
export function isBare({ type, content, medias }: Pick<Tweet, 'type' | 'content'> & { medias: readonly unknown[] }) {
  return type === 'REPOST' && content === '' && medias.length === 0
}

/** Whether a tweet is a repost with content of its own. */
export function isQuote(tweet: Parameters<typeof isBare>[0]): boolean {
  return tweet.type === 'REPOST' && !isBare(tweet)
}

/**
 * Parts of a `with`: `request`, the numbered requests; `target`, the tweet that each applies to, which is the original
 * if the named tweet is a bare repost; and `open`, the targets that the agent may see. For the others, `closed_by` is the
 * audience that the agent does not belong to, or `is_blocked` says that a block parts it from the author.
 */
export function targetQueries(requests: readonly TargetRequest[], more?: MoreMembers) {
  const rows = requests.map(({ agent, id }, n) => ({
    ...more?.members[n],
    tweet_id: id,
    id: agent.id,
    subject: agent.subject,
    wallet_address: agent.walletAddress,
  }))
  return sql`
    request as (${requestRows(rows, sql`tweet_id uuid, id uuid, subject text, wallet_address text${more ? sql`, ${more.columns}` : empty}`)}),
    target as materialized (
      select request.n, request.id as agent_id, request.wallet_address as wallet, tweet.id as tweet_id,
        tweet.agent_id as author_id, tweet.audience,
        case when not ${visibleToAgent(sql`request`, sql`named`)} then named.audience
          when not ${visibleToAgent(sql`request`)} then tweet.audience end as closed_by,
        ${isBlocked(sql`request.id`, sql`named.agent_id`)} or ${isBlocked(sql`request.id`, sql`tweet.agent_id`)} as is_blocked
      from request
      left join ${rowAt(sql`tweet`, sql`request.tweet_id`)} named on true
      left join ${rowAt(sql`tweet`, sql`case when ${isBareRepost(sql`named`)} then named.parent_id else named.id end`)} tweet
        on true),
    open as (select * from target where tweet_id is not null and closed_by is null and not is_blocked)`
}

/** The target of a request, and why it is refused if it is. */
export interface TargetRow {
  n: number
  /** Null when there is no such tweet. */
  tweet_id: string | null
  /** The agent whose shares the caller would have to hold. */
  holders_of: string | null
  /** Whether the caller or the author has blocked the other. */
  is_blocked: boolean
  is_taken_down: boolean
}

export const targetColumns = sql`target.n, target.tweet_id, target.is_blocked,
  coalesce(target.closed_by = ${WITHHELD}, false) as is_taken_down,
  (select username from agent where subject = target.closed_by) as holders_of`

export function refusalOf({ tweet_id, holders_of, is_blocked, is_taken_down }: TargetRow): Problem | undefined {
  if (is_blocked) return new Problem('AGENT_BLOCKED')
  if (is_taken_down) return new Problem('TAKEN_DOWN')
  if (holders_of !== null) return holdersOnly(holders_of)
  return tweet_id === null ? new Problem('TWEET_NOT_FOUND') : undefined
}

/** The refusal of a private tweet; it says how to get access. */
export function holdersOnly(username: string): Problem {
  return new Problem('HOLDERS_ONLY', {
    message: `Only holders of @${username}’s shares can see this. Hold one share of @${username} to get access.`,
    details: [{ path: 'username', message: username }],
  })
}
