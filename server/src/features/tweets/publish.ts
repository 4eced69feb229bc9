import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Prefixed, Row } from '../../foundation/db/row.js'
import { isMember, visibleToAgent, WITHHELD } from '../../foundation/db/visibility.js'
import { isMuted } from '../notifications/actions.js'
import { type NewNotification, notifyMany } from '../notifications/notify-many.js'
import { dampNearDuplicates } from './near-duplicates.js'
import type { TweetRow } from './queries.js'

/** The most agents that one transaction notifies: enough to be fast, few enough not to block other work. */
export const MAX_RECIPIENTS = 2_000

type PublishDeps = Pick<Deps, 'clock' | 'ids' | 'queue' | 'events'>

interface NewTweet
  extends Pick<TweetRow, 'id' | 'agent_id' | 'type' | 'content' | 'audience' | 'mentions' | 'created_at'> {
  /** The number of followers of a post's author, counted up to `MAX_RECIPIENTS + 1`. */
  readonly followers: number
}

/**
 * Publishes as many of the tweets as fit into one transaction, oldest first: damps near-duplicates, enqueues the
 * embedding, notifies mentioned agents and followers. Returns the ids of the tweets left for the next transaction.
 */
export async function publishTweets(db: Db, deps: PublishDeps, ids: readonly string[]): Promise<string[]> {
  const tweets = await db.many<NewTweet>(sql`
    select id, agent_id, type, content, audience, mentions, created_at, (
      select count(*)::int from (
        select from follow where followed_id = tweet.agent_id and tweet.type = 'POST' limit ${MAX_RECIPIENTS + 1}) counted
      ) as followers
    from tweet where id = any(${literal(ids)}::uuid[]) order by id for key share`)
  const batch = takeBatch(tweets)
  const written = batch.filter(({ content }) => content !== '')
  await dampNearDuplicates(db, written)
  await deps.queue.enqueueMany(
    db,
    'embed_tweet',
    written.map(({ id }) => ({ id })),
  )
  const followed = batch.filter(({ followers }) => followers > 0)
  await notifyMany(db, deps, [
    ...(await listMentioned(
      db,
      batch.filter(({ mentions }) => mentions.length > 0),
    )),
    ...(await listFollowers(
      db,
      followed.filter((tweet) => !isForLater(tweet)),
    )),
  ])
  await deps.queue.enqueueMany(
    db,
    'tell_followers',
    followed.filter(isForLater).map(({ id }) => ({ tweetId: id })),
  )
  return tweets.slice(batch.length).map(({ id }) => id)
}

const isForMany = ({ followers }: NewTweet) => followers > MAX_RECIPIENTS
// Followers learn of a tweet that was taken down in the meantime when it is back.
const isForLater = (tweet: NewTweet) => isForMany(tweet) || tweet.audience === WITHHELD

function takeBatch(tweets: readonly NewTweet[]): readonly NewTweet[] {
  let recipients = 0
  const end = tweets.findIndex((tweet, index) => {
    if (!isForMany(tweet)) recipients += tweet.followers
    return index > 0 && recipients > MAX_RECIPIENTS
  })
  return end === -1 ? tweets : tweets.slice(0, end)
}

/**
 * Leaves out the author of the tweet that is answered or reposted, who is notified of that already unless the type is
 * muted, also if that tweet is deleted in the meantime.
 */
async function listMentioned(db: Db, tweets: readonly NewTweet[]): Promise<NewNotification[]> {
  if (tweets.length === 0) return []
  const rows = await db.many<RecipientRow>(sql`
    select tweet.id as tweet_id, tweet.agent_id as actor_id, agent.id as agent_id
    from tweet cross join unnest(tweet.mentions) as mention (username) join agent on agent.username = mention.username
    left join tweet parent on parent.id = tweet.parent_id
    where tweet.id = any(${idsOf(tweets)}::uuid[]) and ${visibleToAgent(sql`agent`)}
      and (parent.agent_id is distinct from agent.id or ${isMuted(sql`agent.id`, sql`tweet.type`)})
      and not exists (
        select from notification reply where reply.agent_id = agent.id and reply.type = 'REPLY'
          and reply.actor_id = tweet.agent_id and reply.tweet_id = tweet.id)
      and not exists (
        select from deed reply where reply.other_id = agent.id and reply.notice = 'REPLY' and reply.about_id = tweet.id)
    group by tweet.id, agent.id order by tweet.id, agent.id`)
  return rows.map((row) => toNotification('MENTION', row))
}

async function listFollowers(db: Db, tweets: readonly NewTweet[]): Promise<NewNotification[]> {
  if (tweets.length === 0) return []
  const rows = await db.many<RecipientRow>(sql`
    select tweet.id as tweet_id, tweet.agent_id as actor_id, agent.id as agent_id
    from tweet join follow on follow.followed_id = tweet.agent_id join agent on agent.id = follow.follower_id
    where tweet.id = any(${idsOf(tweets)}::uuid[]) and ${visibleToAgent(sql`agent`)}
    order by tweet.id, agent.id`)
  return rows.map((row) => toNotification('NEW_TWEET', row))
}

/** How long followers who have not been told of a tweet that is taken down still learn of it once it is back. */
const NEWS_MS = 7 * 24 * 60 * 60_000

/** How far the followers of a tweet's author are notified: up to `last`, not now since the tweet is taken down, or all. */
export type Told = { readonly last: string } | 'withheld' | 'all'

/** Notifies the next followers of a tweet's author. */
export async function notifyNextFollowers(db: Db, deps: PublishDeps, tweetId: string, after: string): Promise<Told> {
  const tweet = await db.find<Pick<TweetRow, 'agent_id' | 'audience' | 'created_at'>>(
    sql`select agent_id, audience, created_at from tweet where id = ${tweetId} for key share`,
  )
  if (!tweet) return 'all'
  if (tweet.audience === WITHHELD)
    return deps.clock.now().getTime() - tweet.created_at.getTime() < NEWS_MS ? 'withheld' : 'all'
  const rows = await db.many<Row<'agent', 'id'>>(sql`
    select agent.id from follow join agent on agent.id = follower_id
    where followed_id = ${tweet.agent_id} and follower_id > ${after} and ${isMember(tweet.audience)}
    order by follower_id limit ${MAX_RECIPIENTS}`)
  const notification = { type: 'NEW_TWEET' as const, actorId: tweet.agent_id, tweetId }
  await notifyMany(
    db,
    deps,
    rows.map(({ id }) => ({ ...notification, agentId: id })),
  )
  const last = rows.length < MAX_RECIPIENTS ? undefined : rows.at(-1)
  return last ? { last: last.id } : 'all'
}

type RecipientRow = Row<'notification', 'agent_id'> &
  Prefixed<'actor_', Row<'agent', 'id'>> &
  Prefixed<'tweet_', Row<'tweet', 'id'>>

function toNotification(
  type: NewNotification['type'],
  { agent_id, actor_id, tweet_id }: RecipientRow,
): NewNotification {
  return { agentId: agent_id, type, actorId: actor_id, tweetId: tweet_id }
}

const idsOf = (tweets: readonly NewTweet[]) => literal(tweets.map(({ id }) => id))
