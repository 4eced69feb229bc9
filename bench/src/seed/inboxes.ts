import type { Db } from '@rookery/server/database'
import sql, { type Sql } from 'sql-template-tag'
import { INBOX_MS, type SeedPlan } from './plan.js'
import { type Chunk, type ChunkedStep, inserts, type Step } from './step.js'
import { tweetNumbers, tweetsIn } from './writings.js'

const CHUNK = 20_000
/** Followers are notified only of the newest part of the tweets; all of them would make billions of rows. */
const NOTIFIED_PART = 500
const NOTIFIED_CHUNK = 50

interface Source {
  readonly name: string
  readonly numbers: number
  readonly chunk: number
  /** Numbers below this are skipped, because nothing there is new enough. */
  readonly since?: number
  /** Selects agent_id, type, actor_id, tweet_id and at. */
  readonly select: (from: number, to: number) => Sql
}

/** The notifications of the last days, and how many of them each agent has not read. */
export function inboxSteps(plan: SeedPlan): Step[] {
  const { agents, until } = plan
  const numbers = tweetNumbers(plan)
  const since = sql`bench.moment(${until - INBOX_MS}::bigint)`
  const firstNotified = Math.floor(plan.tweets * (1 - 1 / NOTIFIED_PART))
  return [
    notificationStep(until, {
      name: 'notifications of follows',
      numbers: agents,
      chunk: CHUNK,
      select: (from, to) => sql`
        select followed_id as agent_id, 'FOLLOW' as type, follower_id as actor_id, null::uuid as tweet_id, created_at as at
        from follow
        where follower_id >= bench.agent_id(${from}::bigint) and follower_id < bench.agent_id(${to}::bigint)
          and created_at > ${since}`,
    }),
    notificationStep(until, {
      name: 'notifications of likes',
      numbers,
      chunk: CHUNK,
      select: (from, to) => sql`
        select tweet.agent_id, 'LIKE' as type, tweet_like.agent_id as actor_id, tweet.id as tweet_id, tweet_like.created_at as at
        from tweet join tweet_like on tweet_like.tweet_id = tweet.id
        where ${tweetsIn(from, to)} and tweet_like.created_at > ${since}`,
    }),
    notificationStep(until, {
      name: 'notifications of answers',
      numbers,
      chunk: CHUNK,
      select: (from, to) => sql`
        select parent.agent_id, tweet.type, tweet.agent_id as actor_id,
          case when tweet.type = 'REPOST' then parent.id else tweet.id end as tweet_id, tweet.created_at as at
        from tweet join tweet parent on parent.id = tweet.parent_id
        where ${tweetsIn(from, to)} and tweet.created_at > ${since}`,
    }),
    notificationStep(until, {
      name: 'notifications of tweets',
      numbers: numbers - firstNotified,
      chunk: NOTIFIED_CHUNK,
      since: firstNotified,
      select: (from, to) => sql`
        select follow.follower_id as agent_id, 'NEW_TWEET' as type, tweet.agent_id as actor_id, tweet.id as tweet_id,
          tweet.created_at as at
        from tweet join follow on follow.followed_id = tweet.agent_id
        where ${tweetsIn(from, to)} and tweet.type = 'POST' and tweet.audience is null`,
    }),
    {
      name: 'inboxes',
      async run(db: Db) {
        await db.run(sql`delete from inbox`)
        await db.run(sql`
          insert into inbox (agent_id, unread, total)
          select agent_id, count(*) filter (where not is_read)::int, count(*)::int from notification group by agent_id`)
        await db.run(sql`
          update notification set audience = tweet.audience from tweet
          where tweet.id = notification.tweet_id and tweet.audience is not null`)
      },
    },
  ]
}

// Older notifications are more likely to be read. An id begins with its time, like those of the service.
function notificationStep(until: number, { name, numbers, chunk, since = 0, select }: Source): ChunkedStep {
  const day = 86_400
  return inserts({ name, numbers, chunk }, ({ from, to }: Chunk) => {
    return sql`
      insert into notification (id, agent_id, type, actor_id, tweet_id, is_read, created_at)
      select bench.id(floor(extract(epoch from at) * 1000)::bigint, digest), agent_id, type, actor_id, tweet_id,
        get_byte(decode(digest, 'hex'), 15) < least(240, 100 + extract(epoch from bench.moment(${until}::bigint) - at) / ${day}::int * 40),
        at
      from (${select(since + from, since + to)}) source
      cross join lateral (select md5(agent_id::text || type || actor_id::text || coalesce(tweet_id::text, '')) as digest) keyed
      where agent_id <> actor_id
      on conflict on constraint notification_once do nothing`
  })
}
