import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { auditInsert, type NewAuditEntry } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { requestRows } from '../../foundation/db/literal.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { eventDraftInsert } from '../../foundation/events/log.js'
import { logDifference, logSum, trendOfWeight, trendUpdate, weightOfPast } from '../../foundation/trend.js'
import { notificationInsert } from '../notifications/actions.js'

/** A follow or unfollow and its audit entry. */
export interface FollowRequest {
  readonly agent: Pick<AgentIdentity, 'id'>
  /** The agent to follow or unfollow. */
  readonly id: string
  readonly entry?: NewAuditEntry | undefined
}

/** The state after a follow or unfollow. */
export interface FollowState {
  readonly following: boolean
  readonly followersCount: number
}

/** Following again after unfollowing notifies again, but not more often than this. */
const REPEATED_AFTER_MS = 24 * 60 * 60_000

type FollowDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>

/** Idempotent. */
export async function followAgents(
  deps: FollowDeps,
  requests: readonly FollowRequest[],
): Promise<(FollowState | Error)[]> {
  const { db, clock, ids, events } = deps
  const at = clock.now()
  const notifications = requests.map(() => ids.next())
  const rows = await db.many<CountedRow>(sql`
    with ${requestQueries(requests, isFree)},
    added as (
      insert into follow (follower_id, followed_id, created_at, counts)
      select follower_id, followed_id, ${at}::timestamptz, ${isFirstOfWallet} from wanted
      join agent follower on follower.id = follower_id join agent followed on followed.id = followed_id
      on conflict do nothing
      returning follower_id, followed_id, 1 as by, counts::integer as ranked, counts::integer::double precision as weight),
    ${countUpdates(sql`added`, logSum, at)},
    ${notificationInsert(
      sql`select followed_id as agent_id, 'FOLLOW' as type, follower_id as actor_id, null::uuid as tweet_id,
        null::text as audience, (${notifications}::uuid[])[n + 1] as notification_id,
        earlier.last_at is not null as is_repeated
        from wanted join added using (follower_id, followed_id)
        cross join lateral (
          select max(created_at) as last_at from notification
          where agent_id = followed_id and type = 'FOLLOW' and actor_id = follower_id) earlier
        where earlier.last_at is null or earlier.last_at <= ${new Date(at.getTime() - REPEATED_AFTER_MS)}`,
      at,
      { causeId: sql`case when is_repeated then notification_id end` },
    )},
    followed_event as (${eventDraftInsert(
      'follow.created',
      at,
      { data: sql`jsonb_build_object('followerId', follower_id, 'followedId', followed_id)` },
      sql`added`,
    )}),
    ${followAuditInsert(deps, requests)}
    ${countedSelect}`)
  events.announce(db)
  return rows.map((row, n) => stateOf(row, requests[n], true))
}

/** Idempotent. */
export async function unfollowAgents(
  deps: FollowDeps,
  requests: readonly FollowRequest[],
): Promise<(FollowState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${requestQueries(requests, sql`true`)},
    removed as (
      delete from follow using wanted
      where follow.follower_id = wanted.follower_id and follow.followed_id = wanted.followed_id
      returning follow.follower_id, follow.followed_id, -1 as by, -follow.counts::integer as ranked,
        follow.counts::integer * ${weightOfPast(sql`follow.created_at`, at)} as weight),
    ${countUpdates(sql`removed`, logDifference, at)},
    ${followAuditInsert(deps, requests)}
    ${countedSelect}`)
  return rows.map((row, n) => stateOf(row, requests[n], false))
}

// Whether a follow moves ranks: agents of one wallet count once together, and not at all for each other.
const isFirstOfWallet = sql`(
  follower.wallet_address <> followed.wallet_address
  and row_number() over (partition by followed_id, follower.wallet_address order by n) = 1
  and not exists (
    select from agent sibling join follow before on before.follower_id = sibling.id
    where sibling.wallet_address = follower.wallet_address and before.followed_id = wanted.followed_id and before.counts))`

// Depends on `locked`, so that it is asked only once no block of the pair can be under way.
const isFree = sql`not is_blocked_now(follower_id, locked.id)
  and not exists (select from agent erased where erased.id = locked.id and erased.erased_at is not null)`

/** Parts of a `with`: `request`, and `wanted`, the pairs to follow or unfollow whose agents exist and that are `possible`. */
function requestQueries(requests: readonly FollowRequest[], possible: Sql): Sql {
  const rows = requests.map(({ agent, id }) => ({ follower_id: agent.id, followed_id: id }))
  // Locks both rows of each pair in the order of ids, so that two agents that follow each other cannot deadlock.
  return sql`
    request as (${requestRows(rows, sql`follower_id uuid, followed_id uuid`)}),
    locked as (
      select id from agent where id in (select follower_id from request union select followed_id from request)
      order by id for no key update),
    wanted as (
      select request.* from request join locked on locked.id = followed_id
      where follower_id <> followed_id and ${possible})`
}

/**
 * Parts of a `with` that update the counts of both sides. `pairs` has follower_id, followed_id, by (1 or -1), and what the
 * ranks of the followed agent change by: ranked and weight.
 */
function countUpdates(pairs: Sql, change: typeof logSum, at: Date): Sql {
  return sql`
    changed as (
      select id, sum(followers)::integer as followers, sum(following)::integer as following,
        sum(ranked)::integer as ranked, sum(weight) as weight
      from (
        select followed_id as id, by as followers, 0 as following, ranked, weight from ${pairs}
        union all select follower_id, 0, by, 0, 0 from ${pairs}) side
      group by id),
    counted as (
      update agent set followers_count = followers_count + changed.followers,
        following_count = following_count + changed.following
      from changed where agent.id = changed.id
      returning agent.id, agent.followers_count, agent.following_count, changed.ranked),
    ordered as (
      update agent_order set followers_count = agent_order.followers_count + counted.ranked,
        following_count = counted.following_count
      from counted where agent_order.agent_id = counted.id),
    trended as (${trendUpdate(
      sql`select id as agent_id, ${trendOfWeight(sql`weight`, at)} as weight from changed where weight > 0`,
      change,
    )})`
}

function followAuditInsert(deps: FollowDeps, requests: readonly FollowRequest[]): Sql {
  return auditInsert(
    deps,
    requests.map(({ entry }) => entry),
    sql`select n from wanted`,
  )
}

type CountedRow = Nullable<Row<'agent', 'followers_count'>> & { readonly is_wanted: boolean }

const countedSelect = sql`
  select coalesce(counted.followers_count, agent.followers_count) as followers_count, wanted.n is not null as is_wanted
  from request left join wanted on wanted.n = request.n
  left join counted on counted.id = request.followed_id
  left join agent on agent.id = request.followed_id and agent.erased_at is null
  order by request.n`

function stateOf(
  { followers_count, is_wanted }: CountedRow,
  request: FollowRequest | undefined,
  following: boolean,
): FollowState | Error {
  if (request?.agent.id === request?.id) return new Problem('CANNOT_FOLLOW_SELF')
  if (followers_count === null) return new Problem('AGENT_NOT_FOUND')
  return is_wanted ? { following, followersCount: followers_count } : new Problem('AGENT_BLOCKED')
}
