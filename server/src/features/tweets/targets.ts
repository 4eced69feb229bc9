import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { rowAt } from '../../foundation/db/db.js'
import { askRows } from '../../foundation/db/literal.js'
import { visibleToAgent } from '../../foundation/db/visibility.js'

/** An agent and the tweet that it wants to do something with. */
export interface TargetAsk {
  readonly agent: AgentIdentity
  readonly id: string
}

/**
 * Parts of a `with`: `ask`, the asks by their number, and `target`, what each of them lands on: the tweet, or the
 * original when the tweet is a repost. `closed_by` is the audience that the agent would have to belong to.
 */
export function targeting(asks: readonly TargetAsk[]) {
  const rows = asks.map(({ agent, id }) => ({
    tweet_id: id,
    id: agent.id,
    subject: agent.subject,
    wallet_address: agent.walletAddress,
  }))
  return sql`
    ask as (${askRows(rows, sql`tweet_id uuid, id uuid, subject text, wallet_address text`)}),
    target as materialized (
      select ask.n, ask.id as agent_id, ask.wallet_address as wallet, tweet.id as tweet_id,
        tweet.agent_id as author_id, tweet.audience,
        case when not ${visibleToAgent(sql`ask`, sql`named`)} then named.audience
          when not ${visibleToAgent(sql`ask`)} then tweet.audience end as closed_by
      from ask
      left join ${rowAt(sql`tweet`, sql`ask.tweet_id`)} named on true
      left join ${rowAt(sql`tweet`, sql`case when named.type = 'REPOST' then named.parent_id else named.id end`)} tweet
        on true),
    open as (select * from target where tweet_id is not null and closed_by is null)`
}

/** What is known about why an ask was refused. */
export interface TargetRow {
  n: number
  /** Null when there is no such tweet. */
  tweet_id: string | null
  /** The agent whose holders alone may see it. */
  holders_of: string | null
}

/** The columns of a TargetRow, over `target`. */
export const targetColumns = sql`target.n, target.tweet_id,
  (select username from agent where subject = target.closed_by) as holders_of`

/** Why an ask was refused; undefined when it was not. */
export function refusalOf({ tweet_id, holders_of }: TargetRow): Problem | undefined {
  if (holders_of !== null) return holdersOnly(holders_of)
  return tweet_id === null ? new Problem('TWEET_NOT_FOUND') : undefined
}

/** The refusal of a private tweet, with the way to see it. */
export function holdersOnly(username: string): Problem {
  return new Problem('HOLDERS_ONLY', {
    message: `Only holders of @${username}’s shares can see this. Hold one share of @${username} to get access.`,
    details: [{ path: 'username', message: username }],
  })
}
