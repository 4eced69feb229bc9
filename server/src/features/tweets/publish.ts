import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { isMember, visibleToAgent } from '../../foundation/db/visibility.js'
import { notifyMany, type Telling } from '../notifications/notify-many.js'
import { dampNearDuplicates } from './near-duplicates.js'
import type { TweetRow } from './queries.js'

/** How many are told in one transaction: long enough to be fast, short enough to keep nobody waiting. */
export const MOST_TOLD = 2_000

type PublishDeps = Pick<Deps, 'clock' | 'ids' | 'queue' | 'events'>

interface NewTweet
  extends Pick<TweetRow, 'id' | 'agent_id' | 'type' | 'content' | 'audience' | 'mentions' | 'created_at'> {
  /** How many follow its author if it is a post, counted no further than to more than are told at once. */
  readonly followers: number
}

/**
 * Publishes as many of the tweets as fit into a transaction, the oldest first: looks for near-duplicates, lets them be
 * found, tells those mentioned and the followers. Returns the ids of those that wait for the next.
 */
export async function publishTweets(db: Db, deps: PublishDeps, ids: readonly string[]): Promise<string[]> {
  const tweets = await db.many<NewTweet>(sql`
    select id, agent_id, type, content, audience, mentions, created_at, (
      select count(*)::int from (
        select from follow where followed_id = tweet.agent_id and tweet.type = 'POST' limit ${MOST_TOLD + 1}) counted
      ) as followers
    from tweet where id = any(${literal(ids)}::uuid[]) order by id for key share`)
  const some = withinOneTransaction(tweets)
  await dampNearDuplicates(
    db,
    some.filter(({ type }) => type !== 'REPOST'),
  )
  const written = some.filter(({ content }) => content !== '')
  await deps.queue.enqueueMany(
    db,
    'embed_tweet',
    written.map(({ id }) => ({ id })),
  )
  const followed = some.filter(({ followers }) => followers > 0)
  await notifyMany(db, deps, [
    ...(await listMentioned(
      db,
      some.filter(({ mentions }) => mentions.length > 0),
    )),
    ...(await listFollowers(
      db,
      followed.filter((tweet) => !isForMany(tweet)),
    )),
  ])
  await deps.queue.enqueueMany(
    db,
    'tell_followers',
    followed.filter(isForMany).map(({ id }) => ({ tweetId: id })),
  )
  return tweets.slice(some.length).map(({ id }) => id)
}

const isForMany = ({ followers }: NewTweet) => followers > MOST_TOLD

function withinOneTransaction(tweets: readonly NewTweet[]): readonly NewTweet[] {
  let told = 0
  const end = tweets.findIndex((tweet, index) => {
    if (!isForMany(tweet)) told += tweet.followers
    return index > 0 && told > MOST_TOLD
  })
  return end === -1 ? tweets : tweets.slice(0, end)
}

async function listMentioned(db: Db, tweets: readonly NewTweet[]): Promise<Telling[]> {
  if (tweets.length === 0) return []
  const rows = await db.many<Found>(sql`
    select tweet.id as tweet_id, tweet.agent_id as actor_id, agent.id as agent_id
    from tweet cross join unnest(tweet.mentions) as mention (username) join agent on agent.username = mention.username
    where tweet.id = any(${idsOf(tweets)}::uuid[]) and ${visibleToAgent(sql`agent`)}
    group by tweet.id, agent.id order by tweet.id, agent.id`)
  return rows.map((row) => tellingOf('MENTION', row))
}

async function listFollowers(db: Db, tweets: readonly NewTweet[]): Promise<Telling[]> {
  if (tweets.length === 0) return []
  const rows = await db.many<Found>(sql`
    select tweet.id as tweet_id, tweet.agent_id as actor_id, agent.id as agent_id
    from tweet join follow on follow.followed_id = tweet.agent_id join agent on agent.id = follow.follower_id
    where tweet.id = any(${idsOf(tweets)}::uuid[]) and ${visibleToAgent(sql`agent`)}
    order by tweet.id, agent.id`)
  return rows.map((row) => tellingOf('NEW_TWEET', row))
}

/** Tells the next followers of a tweet's author. Returns the last of them, or nothing when all were told. */
export async function tellNextFollowers(
  db: Db,
  deps: PublishDeps,
  tweetId: string,
  after: string,
): Promise<string | undefined> {
  const tweet = await db.find<Pick<TweetRow, 'agent_id' | 'audience'>>(
    sql`select agent_id, audience from tweet where id = ${tweetId} for key share`,
  )
  if (!tweet) return undefined
  const rows = await db.many<Row<'agent', 'id'>>(sql`
    select agent.id from follow join agent on agent.id = follower_id
    where followed_id = ${tweet.agent_id} and follower_id > ${after} and ${isMember(tweet.audience)}
    order by follower_id limit ${MOST_TOLD}`)
  const telling = { type: 'NEW_TWEET' as const, actorId: tweet.agent_id, tweetId }
  await notifyMany(
    db,
    deps,
    rows.map(({ id }) => ({ ...telling, agentId: id })),
  )
  return rows.length < MOST_TOLD ? undefined : rows.at(-1)?.id
}

interface Found {
  readonly tweet_id: string
  readonly actor_id: string
  readonly agent_id: string
}

function tellingOf(type: Telling['type'], { agent_id, actor_id, tweet_id }: Found): Telling {
  return { agentId: agent_id, type, actorId: actor_id, tweetId: tweet_id }
}

const idsOf = (tweets: readonly NewTweet[]) => literal(tweets.map(({ id }) => id))
