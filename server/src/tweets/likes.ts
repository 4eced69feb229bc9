import sql from 'sql-template-tag'
import { type NewAuditEntry, recording } from '../audit/actions.js'
import type { Deps } from '../deps.js'
import { telling } from '../notifications/actions.js'
import { disengaging, engaging, scoreWith, scoreWithout } from './engagement.js'
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

// Tweets are locked before anything else, in the order of their ids, by all who change what is counted about them.
const locked = sql`locked as (
  select id from tweet where id in (select tweet_id from open) order by id for no key update)`

/** Likes tweets; a repost passes the like on to its original. Repeating it changes nothing. */
export async function likeTweets(deps: LikeDeps, asks: readonly LikeAsk[]): Promise<(LikeState | Error)[]> {
  const { db, clock, ids, events } = deps
  const at = clock.now()
  const notifications = asks.map(() => ids.next())
  const added = sql`open join added using (tweet_id, agent_id)`
  const rows = await db.many<CountedRow>(sql`
    with ${targeting(asks)}, ${locked},
    added as (
      insert into tweet_like (tweet_id, agent_id, created_at)
      select tweet_id, agent_id, ${at}::timestamptz from open join locked on locked.id = tweet_id
      on conflict do nothing returning tweet_id, agent_id),
    ${engaging(sql`select tweet_id, author_id, wallet from ${added}`, at)},
    counted as (
      update tweet set likes_count = likes_count + more.likes, score = ${scoreWith}
      from (select tweet_id, count(*)::integer as likes from added group by tweet_id) more
      left join noticed using (tweet_id)
      where tweet.id = more.tweet_id returning tweet.id, tweet.likes_count),
    ${telling(
      sql`select author_id as agent_id, 'LIKE' as type, agent_id as actor_id, tweet_id, audience,
        (${notifications}::uuid[])[n + 1] as notification_id from ${added}`,
      at,
    )},
    ${recording(
      deps,
      asks.map(({ entry }) => entry),
      sql`select n from open join locked on locked.id = tweet_id`,
    )}
    ${countedSelect}`)
  events.announce(db)
  return rows.map((row) => answerOf(row, true))
}

/** Takes likes back. Repeating it changes nothing. */
export async function unlikeTweets(deps: LikeDeps, asks: readonly LikeAsk[]): Promise<(LikeState | Error)[]> {
  const at = deps.clock.now()
  const rows = await deps.db.many<CountedRow>(sql`
    with ${targeting(asks)}, ${locked},
    removed as (
      delete from tweet_like using open join locked on locked.id = open.tweet_id
      where tweet_like.tweet_id = open.tweet_id and tweet_like.agent_id = open.agent_id
      returning tweet_like.tweet_id, tweet_like.agent_id),
    ${disengaging(sql`select tweet_id, author_id, wallet from open join removed using (tweet_id, agent_id)`, at)},
    counted as (
      update tweet set likes_count = likes_count - fewer.likes, score = ${scoreWithout}
      from (select tweet_id, count(*)::integer as likes from removed group by tweet_id) fewer
      left join noticed using (tweet_id)
      where tweet.id = fewer.tweet_id returning tweet.id, tweet.likes_count),
    ${recording(
      deps,
      asks.map(({ entry }) => entry),
      sql`select n from open join locked on locked.id = tweet_id`,
    )}
    ${countedSelect}`)
  return rows.map((row) => answerOf(row, false))
}

interface CountedRow extends TargetRow {
  likes_count: number | null
}

// A tweet that was deleted in the meantime is not among those locked.
const countedSelect = sql`
  select ${targetColumns}, coalesce(counted.likes_count, tweet.likes_count) as likes_count
  from target left join locked on locked.id = target.tweet_id
  left join counted on counted.id = locked.id left join tweet on tweet.id = locked.id
  order by target.n`

function answerOf(row: CountedRow, liked: boolean): LikeState | Error {
  const { likes_count: likesCount } = row
  return refusalOf(likesCount === null ? { ...row, tweet_id: null } : row) ?? { liked, likesCount: likesCount ?? 0 }
}
