import { type Db, TWEET_HALF_LIFE_MS, trendOf } from '@rookery/server/database'
import sql, { type Sql } from 'sql-template-tag'
import { DAY_MS, type SeedPlan } from './plan.js'

/** The result of one check. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly note: string
}

const SAMPLE = 300

/** Recounts all totals, and the stored figures of a sample of tweets and agents. */
export async function checkDataSet(db: Db, plan: SeedPlan): Promise<Finding[]> {
  return [
    ...(await checkTotals(db, plan)),
    ...(await checkReferences(db)),
    await checkSample(db, 'a sample of tweets', sampledTweets, tweetDifference),
    await checkSample(db, 'a sample of agents', sampledAgents, agentDifference),
    { name: 'fingerprint', ok: true, note: await fingerprint(db) },
  ]
}

async function checkTotals(db: Db, plan: SeedPlan): Promise<Finding[]> {
  const rows = await db.many<{ name: string; kept: string; counted: string }>(sql`
    select 'agents' as name, ${String(plan.agents)} as kept, count(*)::text as counted from agent
    union all select 'keys', ${String(plan.agents)}, count(*)::text from api_key
    union all select 'tweets', ${String(plan.tweets)}, count(*)::text from tweet
    union all select 'follows', ${String(plan.follows)}, count(*)::text from follow
    union all select 'likes', ${String(plan.likes)}, count(*)::text from tweet_like
    union all select 'followers of all agents', (select sum(followers_count)::text from agent), count(*)::text from follow
    union all select 'following of all agents', (select sum(following_count)::text from agent), count(*)::text from follow
    union all select 'likes of all tweets', (select sum(likes_count)::text from tweet), count(*)::text from tweet_like
    union all select 'replies of all tweets', (select sum(replies_count)::text from tweet),
      count(*)::text from tweet where type = 'REPLY'
    union all select 'reposts of all tweets', (select sum(reposts_count)::text from tweet),
      count(*)::text from tweet where type = 'REPOST'
    union all select 'tally of ' || type, (select sum(value)::text from tally where name = 'tweets:' || type),
      count(*)::text from tweet where audience is null group by type
    union all select 'tally of agents', (select sum(value)::text from tally where name like 'agents:%'),
      count(*)::text from agent
    union all select 'engagements', (select sum(ways)::text from tweet_engagement), count(*)::text from (
      select tweet_id, agent_id from tweet_like
      union all select parent_id, agent_id from tweet where parent_id is not null) engagement
      join tweet on tweet.id = engagement.tweet_id join agent by on by.id = engagement.agent_id
      join agent author on author.id = tweet.agent_id where by.wallet_address <> author.wallet_address
    union all select 'unread notifications', (select sum(unread)::text from inbox),
      count(*)::text from notification where not is_read
    union all select 'all notifications', (select sum(total)::text from inbox), count(*)::text from notification
    union all select 'private tweets', (select sum(value)::text from audience_tally),
      count(*)::text from tweet where audience is not null
    union all select 'tweets in their order', count(*)::text, ${String(plan.tweets)}
      from tweet_order join tweet on tweet.id = tweet_id
    union all select 'agents in their order', count(*)::text, ${String(plan.agents)}
      from agent_order join agent_trend using (agent_id) join agent on agent.id = agent_id
      where agent_order.followers_count = agent.followers_count
    union all select 'shares', (select sum(supply)::text from agent), sum(amount)::text from share_holding`)
  return rows.map(({ name, kept, counted }) => ({
    name,
    ok: kept === counted,
    note: `${kept} kept, ${counted} counted`,
  }))
}

async function checkReferences(db: Db): Promise<Finding[]> {
  const rows = await db.many<{ name: string; wrong: number }>(sql`
    select 'likes of tweets that are not there' as name, count(*)::int as wrong
      from tweet_like left join tweet on tweet.id = tweet_id where tweet.id is null
    union all select 'likes by agents that are not there', count(*)::int
      from tweet_like left join agent on agent.id = agent_id where agent.id is null
    union all select 'follows of agents that are not there', count(*)::int from follow
      left join agent a on a.id = follower_id left join agent b on b.id = followed_id where a.id is null or b.id is null
    union all select 'tweets by agents that are not there', count(*)::int
      from tweet left join agent on agent.id = agent_id where agent.id is null
    union all select 'parents that are gone, reposts or later', count(*)::int
      from tweet left join tweet parent on parent.id = tweet.parent_id
      where tweet.parent_id is not null and (parent.id is null or parent.type = 'REPOST' or parent.id > tweet.id)
    union all select 'answers seen by others than their parent', count(*)::int
      from tweet join tweet parent on parent.id = tweet.parent_id where tweet.audience is distinct from parent.audience
    union all select 'notifications of tweets that are not there', count(*)::int
      from notification left join tweet on tweet.id = tweet_id where tweet_id is not null and tweet.id is null
    union all select 'notifications to or by nobody', count(*)::int from notification
      left join agent a on a.id = agent_id left join agent b on b.id = actor_id where a.id is null or b.id is null
    union all select 'indexes that are missing', count(*)::int
      from bench.index where to_regclass(name) is null`)
  return rows.map(({ name, wrong }) => ({ name, ok: wrong === 0, note: String(wrong) }))
}

/** The logarithm of the sum of the weights of all moments. */
function scoreOf(moments: readonly Date[], halfLifeMs: number): number {
  const logs = moments.map((at) => trendOf(at, 1, halfLifeMs))
  const largest = Math.max(...logs)
  return logs.length === 0
    ? Number.NEGATIVE_INFINITY
    : largest + Math.log2(logs.reduce((sum, log) => sum + 2 ** (log - largest), 0))
}

interface SampledTweet {
  created_at: Date
  score: number
  kept: string
  counted: string
  engaged: Date[]
}

// The most popular ones, where mistakes would show first, and a random sample by their last byte.
const sampledTweets = sql`
  select created_at, (select score from tweet_order where tweet_id = one.id) as score, concat_ws(' ', likes_count, replies_count, reposts_count) as kept,
    concat_ws(' ', (select count(*) from tweet_like where tweet_id = one.id),
      (select count(*) from tweet where parent_id = one.id and type = 'REPLY'),
      (select count(*) from tweet where parent_id = one.id and type = 'REPOST')) as counted,
    array(select at from tweet_engagement where tweet_id = one.id) as engaged
  from ((select * from tweet order by likes_count desc, id limit 20)
    union (select * from tweet where get_byte(uuid_send(id), 15) = 7 order by uuid_send(id) limit ${SAMPLE})) one`

function tweetDifference(row: SampledTweet): string | undefined {
  if (row.kept !== row.counted) return `likes, replies, reposts: ${row.kept}, not ${row.counted}`
  const score = scoreOf([row.created_at, ...row.engaged], TWEET_HALF_LIFE_MS)
  return Math.abs(score - row.score) < 1e-6 ? undefined : `score: ${row.score}, not ${score}`
}

interface SampledAgent {
  trend: number
  kept: string
  counted: string
  events: Date[]
}

const sampledAgents = sql`
  select (select trend from agent_trend where agent_id = one.id) as trend, concat_ws(' ', followers_count, following_count, holders_count,
      coalesce((select unread from inbox where agent_id = one.id), 0)) as kept,
    concat_ws(' ', (select count(*) from follow where followed_id = one.id),
      (select count(*) from follow where follower_id = one.id),
      (select count(*) from share_holding where subject = one.subject),
      (select count(*) from notification where agent_id = one.id and not is_read)) as counted,
    array(
      select created_at from follow where followed_id = one.id
      union all select at from tweet_engagement join tweet on tweet.id = tweet_id where tweet.agent_id = one.id) as events
  from ((select * from agent order by followers_count desc, id limit 5)
    union (select * from agent where get_byte(uuid_send(id), 15) = 7 order by uuid_send(id) limit ${SAMPLE})) one`

function agentDifference(row: SampledAgent): string | undefined {
  if (row.kept !== row.counted) return `followers, following, holders, unread: ${row.kept}, not ${row.counted}`
  const trend = scoreOf(row.events, DAY_MS)
  const isSame = row.trend === trend || Math.abs(row.trend - trend) < 1e-6
  return isSame ? undefined : `trend: ${row.trend}, not ${trend}`
}

async function checkSample<Row>(
  db: Db,
  name: string,
  query: Sql,
  difference: (row: Row) => string | undefined,
): Promise<Finding> {
  const rows = await db.many<Row>(query)
  const wrong = rows.flatMap((row) => difference(row) ?? [])
  const note = wrong.length === 0 ? `${rows.length} recounted` : `${wrong.length} of ${rows.length} differ: ${wrong[0]}`
  return { name, ok: rows.length > 0 && wrong.length === 0, note }
}

/** A hash that does not depend on the order in which the rows were written. */
async function fingerprint(db: Db): Promise<string> {
  const { fingerprint } = await db.one<{ fingerprint: string }>(sql`
    select md5(concat_ws(' ',
      (select sum(hashtextextended(concat_ws(' ', id, username, followers_count, following_count, supply), 1)) from agent),
      (select sum(hashtextextended(concat_ws(' ', follower_id, followed_id, created_at), 1)) from follow),
      (select sum(hashtextextended(concat_ws(' ', id, agent_id, type, content, parent_id, audience, likes_count), 1)) from tweet),
      (select sum(hashtextextended(concat_ws(' ', tweet_id, agent_id, created_at), 1)) from tweet_like),
      (select sum(hashtextextended(concat_ws(' ', id, agent_id, is_read), 1)) from notification))) as fingerprint`)
  return fingerprint
}
