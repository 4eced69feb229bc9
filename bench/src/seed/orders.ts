import { type Db, TWEET_HALF_LIFE_MS } from '@rookery/server/database'
import sql, { type Sql } from 'sql-template-tag'
import type { SeedPlan } from './plan.js'
import type { Step } from './step.js'

const DAY_MS = 86_400_000

/** Fills the tables that lists are ordered by, from engagements and follows. */
export function orderStep({ until }: SeedPlan): Step {
  return {
    name: 'orders',
    async run(db: Db) {
      await db.run(sql`set local work_mem = '256MB'`)
      await db.run(sql`truncate tweet_order, agent_order, agent_trend`)
      await db.run(tweetOrder(until))
      await db.run(sql`
        insert into agent_order (agent_id, followers_count, following_count)
        select id, followers_count, following_count from agent order by id`)
      await db.run(agentTrend(until))
    },
  }
}

// Sums of 2^(t / half-life) would overflow; relative to `until` they do not.
const weight = (at: Sql, until: number, halfLife: number) =>
  sql`power(2, extract(epoch from ${at})::double precision * 1000 / ${halfLife}::int - ${until / halfLife}::double precision)`

const logarithm = (sum: Sql, until: number, halfLife: number) =>
  sql`${until / halfLife}::double precision + ln(${sum}) / ln(2)`

function tweetOrder(until: number): Sql {
  const halfLife = TWEET_HALF_LIFE_MS
  const sum = sql`${weight(sql`created_at`, until, halfLife)} + coalesce(engaged, 0)`
  return sql`
    insert into tweet_order (tweet_id, agent_id, type, audience, score)
    select id, agent_id, type, audience, ${logarithm(sum, until, halfLife)}
    from tweet left join (
      select tweet_id as id, sum(${weight(sql`at`, until, halfLife)}) as engaged
      from tweet_engagement group by tweet_id) it using (id)
    order by id`
}

function agentTrend(until: number): Sql {
  return sql`
    insert into agent_trend (agent_id, trend)
    select id, coalesce(trend, '-infinity') from agent left join (
      select id, ${logarithm(sql`sum(${weight(sql`at`, until, DAY_MS)})`, until, DAY_MS)} as trend from (
        select followed_id as id, created_at as at from follow
        union all
        select tweet.agent_id, engagement.at
        from tweet_engagement engagement join tweet on tweet.id = engagement.tweet_id) event
      group by id) it using (id)
    order by id`
}
