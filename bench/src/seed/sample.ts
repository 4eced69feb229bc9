import type { Pool } from 'pg'

/** The data that requests are built from. Agents and tweets are identified by their place in these lists. */
export interface Sample {
  readonly agentIds: readonly string[]
  /** The numbers of these agents in the data set. */
  readonly agentNumbers: readonly number[]
  /** Public tweets that can be liked and reposted. */
  readonly tweetIds: readonly string[]
  /** Agents with shares. */
  readonly launchedIds: readonly string[]
  /** Existing pairs, as `agent:tweet` and `follower:followed`. */
  readonly likes: readonly string[]
  readonly follows: readonly string[]
  /** As `agent:tweet`. */
  readonly reposts: readonly string[]
}

const MOST_TWEETS = 3_000
/** The same number of callers for any number of agents, so that per-caller caches are equally useful. */
const MOST_AGENTS = 1_000

/** Uses only columns that every version of the schema has. */
export async function readSample(pool: Pool): Promise<Sample> {
  const rows = async (query: string) => (await pool.query<{ a: string; b: string }>(query)).rows
  const all = await rows('select id as a from agent order by id')
  const step = Math.ceil(all.length / MOST_AGENTS)
  const numbers = Array.from({ length: Math.floor(all.length / step) }, (_, place) => place * step)
  const agents = numbers.flatMap((number) => all[number] ?? [])
  const tweets = await rows(
    `select id as a from tweet where audience is null and type <> 'REPOST' order by md5(id::text) limit ${MOST_TWEETS}`,
  )
  const launched = await rows('select id as a from agent where launched_at is not null order by id')
  const agentAt = places(agents)
  const tweetAt = places(tweets)
  const likes = await rows('select agent_id as a, tweet_id as b from tweet_like')
  const follows = await rows('select follower_id as a, followed_id as b from follow')
  const reposts = await rows(`select agent_id as a, parent_id as b from tweet where type = 'REPOST'`)
  const joined = (pairs: typeof likes, others: ReadonlyMap<string, number>) =>
    pairs.flatMap(({ a, b }) => (agentAt.has(a) && others.has(b) ? [`${agentAt.get(a)}:${others.get(b)}`] : []))
  return {
    agentIds: agents.map(({ a }) => a),
    agentNumbers: numbers,
    tweetIds: tweets.map(({ a }) => a),
    launchedIds: launched.map(({ a }) => a),
    likes: joined(likes, tweetAt),
    follows: joined(follows, agentAt),
    reposts: joined(reposts, tweetAt),
  }
}

function places(rows: readonly { a: string }[]): Map<string, number> {
  return new Map(rows.map(({ a }, place) => [a, place]))
}
