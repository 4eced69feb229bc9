import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { NewAuditEntry } from '../../foundation/audit/actions.js'
import { requestRows } from '../../foundation/db/literal.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { isBlocked, isPublic } from '../../foundation/db/visibility.js'
import {
  type Consequences,
  deedInsert,
  deedMemberColumns,
  deedMemberNames,
  deedMembers,
} from '../../foundation/deeds/insert.js'
import { isBareRepost, refusalOf, type TargetRequest, type TargetRow, targetColumns, targetQueries } from './targets.js'

/** A like or unlike and its audit entry. */
export interface LikeRequest extends TargetRequest {
  readonly entry?: NewAuditEntry | undefined
}

/** The state after a like or unlike. */
export interface LikeState {
  readonly liked: boolean
  readonly likesCount: number
}

type LikeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>

// Parts of a `with`: `valid`, the requests that can be carried out. Every statement that changes the counters of tweets
// locks the tweets first, in the order of their ids. A tweet that has been deleted since is not in `locked`.
const lockQueries = (targets: Sql) => sql`
  locked as (
    select id, likes_count from tweet where id in (select tweet_id from ${targets}) order by id for no key update),
  valid as materialized (
    select ${targets}.*, locked.likes_count from ${targets} join locked on locked.id = ${targets}.tweet_id)`

/** Likes tweets; a like of a bare repost goes to the original. Idempotent. */
export async function likeTweets(deps: LikeDeps, requests: readonly LikeRequest[]): Promise<(LikeState | Error)[]> {
  const states = await likePublic(deps, requests)
  const others = requests.filter((_, n) => states[n] === undefined)
  if (others.length > 0) {
    const rest = await likeAny(deps, others)
    let next = 0
    return states.map((state) => state ?? (rest[next++] as LikeState | Error))
  }
  return states as LikeState[]
}

/**
 * Likes the tweets that are for everybody, and parted from the agent by no block. Undefined for the others, which take a
 * statement that knows more, and costs the database three times as much.
 */
async function likePublic(deps: LikeDeps, requests: readonly LikeRequest[]): Promise<(LikeState | undefined)[]> {
  const at = deps.clock.now()
  const rows = requests.map(({ agent, id, entry }) => ({
    tweet_id: id,
    agent_id: agent.id,
    wallet: agent.walletAddress,
    ...deedMembers(deps, entry),
  }))
  const liked = await deps.db.many<Nullable<Row<'tweet', 'likes_count'>>>(sql`
    with request as materialized (
      ${requestRows(rows, sql`tweet_id uuid, agent_id uuid, wallet text, ${deedMemberColumns}`)}),
    locked as materialized (
      select id, agent_id as author_id, likes_count from tweet
      where id = any(array(select tweet_id from request)) and ${isPublic(sql`tweet`)} and not ${isBareRepost(sql`tweet`)}
      order by id for no key update),
    valid as materialized (
      select request.*, author_id, likes_count from request join locked on locked.id = tweet_id
      where not ${isBlocked(sql`request.agent_id`, sql`author_id`)}),
    ${likeParts(requests, at, sql`valid`)}
    select coalesce(counted.likes_count, valid.likes_count) as likes_count
    from request left join valid using (n) left join counted on counted.id = valid.tweet_id order by n`)
  deps.events.announce(deps.db)
  return liked.map(({ likes_count }) => (likes_count === null ? undefined : { liked: true, likesCount: likes_count }))
}

async function likeAny(deps: LikeDeps, requests: readonly LikeRequest[]): Promise<(LikeState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${targetQueries(requests, deedsOf(deps, requests))}, ${lockQueries(sql`open`)},
    ${likeParts(requests, at, validWithDeeds)}
    ${countedSelect}`)
  deps.events.announce(deps.db)
  return rows.map((row) => stateOf(row, true))
}

/** Parts of a `with` that like the tweets of `valid`; `done` has the members of the deeds besides. */
function likeParts(requests: readonly LikeRequest[], at: Date, done: Sql): Sql {
  return sql`
    changed as (
      insert into tweet_like (tweet_id, agent_id, created_at)
      select tweet_id, agent_id, ${at}::timestamptz from valid
      on conflict do nothing returning tweet_id, agent_id),
    counted as (
      update tweet set likes_count = tweet.likes_count + more.likes, version = tweet.version + 1
      from (select tweet_id, count(*)::integer as likes from changed group by tweet_id) more
      where tweet.id = more.tweet_id returning tweet.id, tweet.likes_count),
    ${likeDeeds(requests, at, done, { ways: sql`1`, notice: { type: 'LIKE' } })}`
}

/** Removes likes, also of tweets that the agent may not see any more; their count is then 0. Idempotent. */
export async function unlikeTweets(deps: LikeDeps, requests: readonly LikeRequest[]): Promise<(LikeState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${targetQueries(requests, deedsOf(deps, requests))},
    undoable as (
      select * from open union all
      select target.* from target join tweet_like using (tweet_id, agent_id) where target.n not in (select n from open)),
    ${lockQueries(sql`undoable`)},
    changed as (
      delete from tweet_like using valid
      where tweet_like.tweet_id = valid.tweet_id and tweet_like.agent_id = valid.agent_id
      returning tweet_like.tweet_id, tweet_like.agent_id),
    counted as (
      update tweet set likes_count = tweet.likes_count - fewer.likes, version = tweet.version + 1
      from (select tweet_id, count(*)::integer as likes from changed group by tweet_id) fewer
      where tweet.id = fewer.tweet_id returning tweet.id, tweet.likes_count),
    ${likeDeeds(requests, at, validWithDeeds, { ways: sql`-1` })}
    ${countedSelect}`)
  deps.events.announce(deps.db)
  return rows.map((row) => stateOf(row, false))
}

function deedsOf(deps: LikeDeps, requests: readonly LikeRequest[]) {
  return { members: requests.map(({ entry }) => deedMembers(deps, entry)), columns: deedMemberColumns }
}

const validWithDeeds = sql`(
  select valid.agent_id, valid.tweet_id, valid.author_id, valid.wallet, ${deedMemberNames} from valid join request using (n))`

function likeDeeds(
  requests: readonly LikeRequest[],
  at: Date,
  done: Sql,
  { ways, notice }: { readonly ways: Sql } & Pick<Consequences, 'notice'>,
): Sql {
  return deedInsert(
    {
      from: sql`
        select valid.*, changed.tweet_id is not null as is_new from ${done} valid
        left join changed on changed.tweet_id = valid.tweet_id and changed.agent_id = valid.agent_id`,
      at,
      entries: requests.map(({ entry }) => entry),
    },
    {
      engagement: { tweetId: sql`tweet_id`, wallet: sql`wallet`, ways },
      otherId: sql`author_id`,
      ...(notice && { notice }),
    },
  )
}

type CountedRow = TargetRow & Row<'tweet', 'likes_count'> & { readonly is_done: boolean }

const countedSelect = sql`
  select ${targetColumns}, valid.n is not null as is_done,
    case when open.n is null then 0 else coalesce(counted.likes_count, valid.likes_count) end as likes_count
  from target left join open using (n) left join valid using (n) left join counted on counted.id = valid.tweet_id
  order by target.n`

function stateOf(row: CountedRow, liked: boolean): LikeState | Error {
  if (row.is_done) return { liked, likesCount: row.likes_count }
  // One that may be seen has been deleted since.
  return refusalOf(row) ?? new Problem('TWEET_NOT_FOUND')
}
