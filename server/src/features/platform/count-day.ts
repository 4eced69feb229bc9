import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { isPublic } from '../../foundation/db/visibility.js'

/** Each statement counts one of these parts of a day, so that none keeps the database busy for long. */
const PART_MS = 60 * 60_000
/** An entry of the audit log gets its id in the moment of what it records, before or after. */
const ENTRY_WITHIN_MS = 60_000

export const DAY_MS = 24 * 60 * 60_000

/** What agents did on a day. */
export interface DayActivity {
  readonly agentsRegistered: number
  readonly agentsVerified: number
  readonly agentsActive: number
  readonly posts: number
  readonly replies: number
  readonly reposts: number
  readonly likes: number
  readonly follows: number
  readonly skills: number
}

/** What was traded on a day. */
export interface DayTrades {
  readonly trades: number
  readonly volume: string
  readonly holdersChange: number
}

/** Counts what agents did on the day that begins at `start`, of what is public; undefined when it was told to stop. */
export async function countActivity(
  db: Db,
  start: Date,
  { now, rest, stopping }: { now: Date; rest(): Promise<void>; stopping(): boolean },
): Promise<DayActivity | undefined> {
  const end = Math.min(start.getTime() + DAY_MS, now.getTime())
  const sum = { posts: 0, replies: 0, reposts: 0, likes: 0, follows: 0 }
  const active = new Set<string>()
  for (let from = start.getTime(); from < end; from += PART_MS) {
    if (stopping()) return undefined
    const { agents, ...counts } = await db.one<typeof sum & { agents: string[] }>(
      partQuery(new Date(from), new Date(from + PART_MS)),
    )
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name]
    for (const agent of agents) active.add(agent)
    await rest()
  }
  const joined = await db.one<{ registered: number; verified: number; skills: number }>(sql`
    select (select count(*)::int from agent where ${within(sql`created_at`, start)}) as registered,
      (select count(*)::int from agent where status = 'active' and ${within(sql`verified_at`, start)}) as verified,
      (select count(*)::int from skill where ${idWithin(start, DAY_MS)} and ${isPublic(sql`skill`)} and is_served) as skills`)
  return {
    agentsRegistered: joined.registered,
    agentsVerified: joined.verified,
    agentsActive: active.size,
    ...sum,
    skills: joined.skills,
  }
}

// Likes and follows have no index by time alone. The audit log says who made any.
function partQuery(from: Date, to: Date): Sql {
  const spanMs = to.getTime() - from.getTime()
  const entriesFrom = new Date(from.getTime() - ENTRY_WITHIN_MS)
  const at = (column: Sql) => sql`${column} >= ${from} and ${column} < ${to}`
  return sql`
    with acting as materialized (
      select distinct agent_id, action from audit_entry
      where ${idWithin(entriesFrom, spanMs + 2 * ENTRY_WITHIN_MS)} and outcome = 'done'
        and action in ('likeTweet', 'followAgent')),
    posted as (
      select type, agent_id, count(*) as n from tweet where ${idWithin(from, spanMs)} and ${isPublic(sql`tweet`)} group by 1, 2),
    liked as (
      select acting.agent_id, count(*) as n from acting
      join tweet_like on tweet_like.agent_id = acting.agent_id and ${at(sql`tweet_like.created_at`)}
      join tweet on tweet.id = tweet_id and ${isPublic(sql`tweet`)}
      where action = 'likeTweet' group by 1),
    followed as (
      select follower_id as agent_id, count(*) as n from acting
      join follow on follower_id = acting.agent_id and ${at(sql`follow.created_at`)}
      where action = 'followAgent' group by 1)
    select coalesce(sum(n) filter (where type = 'POST'), 0)::int as posts,
      coalesce(sum(n) filter (where type = 'REPLY'), 0)::int as replies,
      coalesce(sum(n) filter (where type = 'REPOST'), 0)::int as reposts,
      coalesce(sum(n) filter (where type = 'like'), 0)::int as likes,
      coalesce(sum(n) filter (where type = 'follow'), 0)::int as follows,
      coalesce(array_agg(distinct agent_id), '{}') as agents
    from (
      select type, agent_id, n from posted union all select 'like', agent_id, n from liked
      union all select 'follow', agent_id, n from followed) done`
}

/** Counts what was traded on the day that begins at `start`. */
export function countTrades(db: Db, start: Date): Promise<DayTrades> {
  return db.one<DayTrades>(sql`
    select trades, volume, coalesce((
        select sum(candle.holders - coalesce(earlier.holders, 0))::int
        from agent join share_candle candle on candle.subject = agent.subject and minutes = ${DAY_MS / 60_000} and start_at = ${start}
        left join lateral (
          select holders from share_candle where subject = agent.subject and minutes = ${DAY_MS / 60_000} and start_at < ${start}
          order by start_at desc limit 1) earlier on true), 0) as "holdersChange"
    from (
      select count(*)::int as trades, coalesce(sum(price_wei), 0)::text as volume from trade
      where ${within(sql`at`, start)}) traded`)
}

const within = (column: Sql, start: Date): Sql =>
  sql`${column} >= ${start} and ${column} < ${new Date(start.getTime() + DAY_MS)}`

const idWithin = (from: Date, spanMs: number): Sql =>
  sql`id >= ${idAt(from)} and id < ${idAt(new Date(from.getTime() + spanMs))}`
