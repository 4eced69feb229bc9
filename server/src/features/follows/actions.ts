import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { NewAuditEntry } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { requestRows } from '../../foundation/db/literal.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import {
  type Consequences,
  deedInsert,
  deedMemberColumns,
  deedMemberNames,
  deedMembers,
} from '../../foundation/deeds/insert.js'
import { weightOfPast } from '../../foundation/trend.js'
import { followersOf } from '../agents/activity-columns.js'

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

type FollowDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>

/** Idempotent. */
export async function followAgents(
  deps: FollowDeps,
  requests: readonly FollowRequest[],
): Promise<(FollowState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${requestQueries(deps, requests, isFree)},
    changed as (
      insert into follow (follower_id, followed_id, created_at, counts)
      select follower_id, followed_id, ${at}::timestamptz, ${isFirstOfWallet} from wanted
      join locked follower on follower.id = follower_id join locked followed on followed.id = followed_id
      on conflict do nothing
      returning follower_id, followed_id, 1 as by, counts::integer as ranked, counts::integer::double precision as weight),
    ${countUpdates},
    ${followDeeds(requests, at, { by: 1, notice: { type: 'FOLLOW' }, event: 'follow.created' })}
    ${countedSelect}`)
  deps.events.announce(deps.db)
  return rows.map((row, n) => stateOf(row, requests[n], true))
}

/** Idempotent. */
export async function unfollowAgents(
  deps: FollowDeps,
  requests: readonly FollowRequest[],
): Promise<(FollowState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${requestQueries(deps, requests, sql`true`)},
    changed as (
      delete from follow using wanted
      where follow.follower_id = wanted.follower_id and follow.followed_id = wanted.followed_id
      returning follow.follower_id, follow.followed_id, -1 as by, -follow.counts::integer as ranked,
        -(follow.counts::integer * ${weightOfPast(sql`follow.created_at`, at)}) as weight),
    ${countUpdates},
    ${followDeeds(requests, at, { by: -1 })}
    ${countedSelect}`)
  deps.events.announce(deps.db)
  return rows.map((row, n) => stateOf(row, requests[n], false))
}

// Whether a follow moves ranks: agents of one wallet count once together, and not at all for each other.
const isFirstOfWallet = sql`(
  follower.wallet_address <> followed.wallet_address
  and row_number() over (partition by followed_id, follower.wallet_address order by n) = 1
  and not exists (
    select from agent sibling join follow before on before.follower_id = sibling.id
    where sibling.wallet_address = follower.wallet_address and before.followed_id = wanted.followed_id and before.counts))`

// Depends on `locked`, so that it is asked only once no block of a pair can be under way.
const isFree = sql`locked.erased_at is null and n + 1 <> all((
  select blocked_now(array_agg(follower_id order by n), array_agg(followed_id order by n)) from request
  where (select count(*) from locked) > 0)::integer[])`

/** Parts of a `with`: `request`, and `wanted`, the pairs to follow or unfollow whose agents exist and that are `possible`. */
function requestQueries(deps: FollowDeps, requests: readonly FollowRequest[], possible: Sql): Sql {
  const rows = requests.map(({ agent, id, entry }) => ({
    follower_id: agent.id,
    followed_id: id,
    ...deedMembers(deps, entry),
  }))
  // Locks both rows of each pair in the order of ids, so that two agents that follow each other cannot deadlock.
  return sql`
    request as materialized (${requestRows(rows, sql`follower_id uuid, followed_id uuid, ${deedMemberColumns}`)}),
    locked as materialized (
      select id, wallet_address, followers_count, erased_at from agent
      where id = any(array(select follower_id from request union all select followed_id from request))
      order by id for no key update),
    wanted as materialized (
      select request.* from request join locked on locked.id = followed_id
      where follower_id <> followed_id and ${possible})`
}

/** Part of a `with` that updates the counts of both sides. */
const countUpdates = sql`
  counted as (
    insert into agent_activity (agent_id, followers_change, following_change)
    select id, sum(followers)::integer, sum(following)::integer from (
      select followed_id as id, by as followers, 0 as following from changed
      union all select follower_id, 0, by from changed) side
    group by id order by id
    on conflict (agent_id) do update set followers_change = agent_activity.followers_change + excluded.followers_change,
      following_change = agent_activity.following_change + excluded.following_change
    returning agent_id as id, followers_change)`

function followDeeds(
  requests: readonly FollowRequest[],
  at: Date,
  { by, ...more }: { readonly by: 1 | -1 } & Pick<Consequences, 'notice' | 'event'>,
): Sql {
  return deedInsert(
    {
      from: sql`
        select follower_id as agent_id, followed_id, ${deedMemberNames}, changed.by is not null as is_new, ranked, weight
        from wanted left join changed using (follower_id, followed_id)`,
      at,
      entries: requests.map(({ entry }) => entry),
    },
    { otherId: sql`followed_id`, follow: { by, ranked: sql`ranked`, weight: sql`weight` }, ...more },
  )
}

type CountedRow = Nullable<Row<'agent', 'followers_count'>> & { readonly is_wanted: boolean }

const countedSelect = sql`
  select case when counted.id is not null then locked.followers_count + counted.followers_change
      when locked.erased_at is null then ${followersOf(sql`locked`)} end as followers_count,
    wanted.n is not null as is_wanted
  from request left join wanted using (n)
  left join counted on counted.id = request.followed_id
  left join locked on locked.id = request.followed_id
  order by n`

function stateOf(
  { followers_count, is_wanted }: CountedRow,
  request: FollowRequest | undefined,
  following: boolean,
): FollowState | Error {
  if (request?.agent.id === request?.id) return new Problem('CANNOT_FOLLOW_SELF')
  if (followers_count === null) return new Problem('AGENT_NOT_FOUND')
  return is_wanted ? { following, followersCount: followers_count } : new Problem('AGENT_BLOCKED')
}
