import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type NewAuditEntry, recording } from '../../foundation/audit/actions.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { telling } from '../notifications/actions.js'
import { disengaging, engaging } from './engagement.js'
import { refusalOf, type TargetAsk, type TargetRow, targetColumns, targeting } from './targets.js'

/** A like or unlike of one agent, and the line that it leaves in the audit log. */
export interface LikeAsk extends TargetAsk {
  readonly entry?: NewAuditEntry | undefined
}

/** Where a like or unlike leads. */
export interface LikeState {
  readonly liked: boolean
  readonly likesCount: number
}

type LikeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>

// Parts of a `with`: `landed`, the asks that can be done. Tweets are locked before anything else, in the order of their
// ids, by all who change what is counted about them. One that was deleted in the meantime is not among those locked.
const landing = sql`
  locked as (
    select id, likes_count from tweet where id in (select tweet_id from open) order by id for no key update),
  landed as materialized (
    select open.*, locked.likes_count from open join locked on locked.id = open.tweet_id)`

/** Likes tweets; a repost passes the like on to its original. Repeating it changes nothing. */
export async function likeTweets(deps: LikeDeps, asks: readonly LikeAsk[]): Promise<(LikeState | Error)[]> {
  const { db, clock, ids, events } = deps
  const at = clock.now()
  const notifications = asks.map(() => ids.next())
  const rows = await db.many<CountedRow>(sql`
    with ${targeting(asks)}, ${landing},
    added as (
      insert into tweet_like (tweet_id, agent_id, created_at)
      select tweet_id, agent_id, ${at}::timestamptz from landed
      on conflict do nothing returning tweet_id, agent_id),
    fresh as materialized (select landed.* from landed join added using (tweet_id, agent_id)),
    ${engaging(sql`select tweet_id, author_id, wallet from fresh`, at)},
    counted as (
      update tweet set likes_count = tweet.likes_count + more.likes
      from (select tweet_id, count(*)::integer as likes from added group by tweet_id) more
      where tweet.id = more.tweet_id returning tweet.id, tweet.likes_count),
    ${telling(
      sql`select author_id as agent_id, 'LIKE' as type, agent_id as actor_id, tweet_id, audience,
        (${notifications}::uuid[])[n + 1] as notification_id from fresh`,
      at,
    )},
    ${recording(
      deps,
      asks.map(({ entry }) => entry),
      sql`select n from landed`,
    )}
    ${countedSelect}`)
  events.announce(db)
  return rows.map((row) => answerOf(row, true))
}

/** Takes likes back. Repeating it changes nothing. */
export async function unlikeTweets(deps: LikeDeps, asks: readonly LikeAsk[]): Promise<(LikeState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${targeting(asks)}, ${landing},
    removed as (
      delete from tweet_like using landed
      where tweet_like.tweet_id = landed.tweet_id and tweet_like.agent_id = landed.agent_id
      returning tweet_like.tweet_id, author_id, wallet),
    ${disengaging(sql`select tweet_id, author_id, wallet from removed`, at)},
    counted as (
      update tweet set likes_count = tweet.likes_count - fewer.likes
      from (select tweet_id, count(*)::integer as likes from removed group by tweet_id) fewer
      where tweet.id = fewer.tweet_id returning tweet.id, tweet.likes_count),
    ${recording(
      deps,
      asks.map(({ entry }) => entry),
      sql`select n from landed`,
    )}
    ${countedSelect}`)
  return rows.map((row) => answerOf(row, false))
}

type CountedRow = TargetRow & Nullable<Row<'tweet', 'likes_count'>>

const countedSelect = sql`
  select ${targetColumns}, coalesce(counted.likes_count, landed.likes_count) as likes_count
  from target left join landed using (n) left join counted on counted.id = landed.tweet_id
  order by target.n`

function answerOf(row: CountedRow, liked: boolean): LikeState | Error {
  const { likes_count: likesCount } = row
  return refusalOf(likesCount === null ? { ...row, tweet_id: null } : row) ?? { liked, likesCount: likesCount ?? 0 }
}
