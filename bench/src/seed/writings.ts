import type { Db } from '@rookery/server/database'
import { topicNames } from '@rookery/tooling/topics'
import sql, { type Sql } from 'sql-template-tag'
import { BLOCK, LAUNCHED_EVERY, type SeedPlan } from './plan.js'
import { inserts, type Step, statements } from './step.js'

const CHUNK = 20_000

/** A condition for the tweets of a range of numbers. */
export const tweetsIn = (from: number, to: number): Sql =>
  sql`tweet.id >= bench.tweet_id(${from}::bigint) and tweet.id < bench.tweet_id(${to}::bigint)`

/** How many numbers tweets may have: a few more than there are tweets, to replace skipped reposts. */
export const tweetNumbers = ({ tweets }: SeedPlan): number => Math.ceil(tweets * 1.02) + BLOCK

/** Tweets, likes, and the owners who engaged with each. */
export function writingSteps(plan: SeedPlan): Step[] {
  const { agents, tweets, likes } = plan
  return [
    inserts({ name: 'tweets', numbers: tweets, rows: tweets, chunk: CHUNK }, ({ from, to, missing }) => {
      const written = Array.from({ length: 14 }, (_, at) => sql`bench.word(topic, get_byte(digest, ${at}::int))`)
      const words = written.slice(1).reduce((all, next) => sql`${all}, ${next}`, written[0] ?? sql`''`)
      return sql`
        insert into tweet (id, agent_id, type, content, parent_id, audience, created_at, updated_at)
        select bench.tweet_id(n), bench.agent_id(author), type,
          case when type = 'REPOST' then '' else array_to_string((array[${words}])[1:length], ' ') || ' #' || bench.topic_name(topic) end,
          case when type <> 'POST' then bench.tweet_id(parent) end,
          case when is_private then bench.subject(author) end, at, at
        from generate_series(${from}::bigint, ${to - 1}::bigint) n
        cross join lateral (
          select case when n % ${BLOCK}::int < 7 then 'POST' when n % ${BLOCK}::int < 9 then 'REPLY' else 'REPOST' end as type,
            n % ${BLOCK}::int = 6 and bench.u(22, n) < 0.5 as is_private,
            floor(${agents}::bigint * power(bench.u(20, n), 1.8))::bigint as anyone,
            bench.target(n, 24, n) as parent, bench.moment(bench.tweet_ms(n)) as at,
            decode(bench.hex('words', n), 'hex') as digest, 6 + floor(9 * bench.u(23, n))::int as length offset 0) it
        cross join lateral (
          select case when is_private then anyone - anyone % ${LAUNCHED_EVERY}::int else anyone end as author offset 0) by
        cross join lateral (
          select case when bench.u(21, n) < 0.85 then bench.topic_of(author)
            else floor(${topicNames.length}::int * bench.u(27, n))::bigint end as topic offset 0) about
        where type = 'POST' or parent < n
        order by n limit ${missing}
        on conflict do nothing`
    }),
    // Seven of ten likes come from agents with the same topic as the tweet's author.
    inserts({ name: 'likes', numbers: likes, rows: likes, chunk: 30_000 }, ({ from, to, missing }) => {
      const isNew = sql`not exists (
        select from tweet_like where tweet_id = bench.tweet_id(target) and agent_id = bench.agent_id(liker))`
      return sql`
        insert into tweet_like (tweet_id, agent_id, created_at)
        select bench.tweet_id(target), bench.agent_id(liker), bench.moment(bench.tweet_ms(n))
        from generate_series(${from}::bigint, ${to - 1}::bigint) k
        cross join lateral (
          select floor(${tweets}::bigint * case when k < ${likes}::bigint then k::double precision / ${likes}::bigint
              else bench.u(33, k) end)::bigint as n,
            floor(${agents}::bigint * power(bench.u(34, k), 1.5))::bigint as anyone offset 0) it
        cross join lateral (select bench.target(n, 30, k) as target offset 0) what
        cross join lateral (
          select case when bench.u(35, k) < 0.7
            then bench.of_topic(anyone, bench.topic_of(floor(${agents}::bigint * power(bench.u(20, target), 1.8))::bigint))
            else anyone end as liker offset 0) who
        where target < n and liker < ${agents}::bigint and ${from < likes ? sql`true` : isNew}
        order by k limit ${missing}
        on conflict do nothing`
    }),
    statements('analyze loaded', [sql`analyze agent, tweet, tweet_like`]),
    inserts({ name: 'engagements', numbers: tweetNumbers(plan), chunk: CHUNK }, ({ from, to }) => {
      return sql`
        insert into tweet_engagement (tweet_id, wallet, ways, at)
        select tweet.id, by.wallet_address, count(*)::int, min(engagement.at)
        from tweet join agent author on author.id = tweet.agent_id
        join (
          select tweet_id, agent_id, created_at as at from tweet_like
          where tweet_id >= bench.tweet_id(${from}::bigint) and tweet_id < bench.tweet_id(${to}::bigint)
          union all
          select parent_id, agent_id, created_at from tweet
          where parent_id >= bench.tweet_id(${from}::bigint) and parent_id < bench.tweet_id(${to}::bigint)
        ) engagement on engagement.tweet_id = tweet.id
        join agent by on by.id = engagement.agent_id
        where ${tweetsIn(from, to)} and by.wallet_address <> author.wallet_address
        group by tweet.id, by.wallet_address`
    }),
  ]
}

/** Fills the counters of tweets. */
export function tweetCounts(plan: SeedPlan): Step {
  return inserts({ name: 'tweet counters', numbers: tweetNumbers(plan), chunk: CHUNK }, ({ from, to }) => {
    return sql`
      update tweet set replies_count = coalesce(replies, 0), reposts_count = coalesce(reposts, 0),
        likes_count = coalesce(likes, 0), views_count = coalesce(likes, 0) * 12 + get_byte(uuid_send(tweet.id), 15),
        human_views_count = coalesce(likes, 0) * 3
      from tweet one
      left join (
        select parent_id as id, count(*) filter (where type = 'REPLY')::int as replies,
          count(*) filter (where type = 'REPOST')::int as reposts
        from tweet where parent_id >= bench.tweet_id(${from}::bigint) and parent_id < bench.tweet_id(${to}::bigint)
        group by parent_id) a using (id)
      left join (
        select tweet_id as id, count(*)::int as likes from tweet_like
        where tweet_id >= bench.tweet_id(${from}::bigint) and tweet_id < bench.tweet_id(${to}::bigint) group by 1) b using (id)
      where one.id = tweet.id and ${tweetsIn(from, to)}`
  })
}

/** Fills the totals of tweets. Any shard may count a public tweet, because only the sum of the shards is read. */
export function tallyStep(): Step {
  return {
    name: 'tally',
    async run(db: Db) {
      await db.run(sql`delete from tally`)
      await db.run(sql`
        insert into tally (name, shard, value)
        select 'tweets:' || type, get_byte(uuid_send(agent_id), 15) % 16, count(*) from tweet where audience is null group by 1, 2`)
      await db.run(sql`
        insert into tally (name, shard, value)
        select 'posted', get_byte(uuid_send(agent_id), 15) % 16, count(*) from tweet group by 1, 2`)
      await db.run(sql`
        insert into tally (name, shard, value)
        select 'agents:' || status, get_byte(uuid_send(id), 15) % 16, count(*) from agent group by 1, 2`)
      await db.run(sql`delete from audience_tally`)
      await db.run(sql`
        insert into audience_tally (audience, type, value)
        select audience, type, count(*) from tweet where audience is not null group by 1, 2`)
      await db.run(sql`
        insert into tally (name, shard, value)
        select 'private:POST', 0, coalesce(sum(value), 0) from audience_tally where type = 'POST'
        on conflict (name, shard) do update set value = excluded.value`)
    },
  }
}
