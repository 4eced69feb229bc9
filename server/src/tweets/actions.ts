import type { TweetMedia, TweetType, Visibility } from '@rookery/api'
import sql from 'sql-template-tag'
import { containsApiKey } from '../agents/api-key.js'
import type { AgentIdentity } from '../agents/identity.js'
import type { Db } from '../db/db.js'
import { violatedConstraint } from '../db/db.js'
import { belongsTo } from '../db/visibility.js'
import type { Deps } from '../deps.js'
import { resolveMedias } from '../media/queries.js'
import { notify } from '../notifications/actions.js'
import { Problem } from '../problem.js'
import { addEngagement, initialScore } from './engagement.js'
import { resolveMentions } from './mentions.js'
import { getTarget, getTweet, type TweetRow } from './queries.js'
import { tallyTweets } from './tally.js'

export { deleteTweet, undoRepost } from './delete.js'
export { likeTweet, unlikeTweet } from './engagement.js'

/** What an agent wants to say. */
export interface NewTweet {
  readonly content: string
  readonly visibility?: Visibility
  readonly type?: TweetType
  readonly parentTweetId?: string
  readonly medias?: readonly TweetMedia[]
  readonly mentions?: readonly string[]
}

type TweetDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'events' | 'config'>

/** Posts, replies or reposts. What others are told of it follows in the background. */
export async function createTweet(deps: TweetDeps, agent: AgentIdentity, input: NewTweet): Promise<TweetRow> {
  const type = input.type ?? (input.parentTweetId === undefined ? 'POST' : 'REPLY')
  checkContent(type, input)
  const parent = type === 'POST' ? undefined : await getParent(deps.db, agent, input.parentTweetId)
  if (type === 'REPOST' && parent?.audience) throw new Problem('CANNOT_REPOST_PRIVATE')
  const medias = await resolveMedias(deps, input.medias ?? [])
  const mentions = await resolveMentions(deps.db, input.content, input.mentions ?? [])
  const audience = parent?.audience ?? (input.visibility === 'private' ? agent.subject : null)
  try {
    return await insertTweet(deps, agent, { ...input, type, medias, mentions, audience }, parent)
  } catch (error) {
    if (violatedConstraint(error) === 'tweet_one_repost') throw new Problem('ALREADY_REPOSTED')
    throw error
  }
}

/** Reposts a tweet as it is. */
export async function repostTweet(deps: TweetDeps, agent: AgentIdentity, { id }: { id: string }): Promise<TweetRow> {
  const target = await getTarget(deps.db, agent, id)
  return createTweet(deps, agent, { type: 'REPOST', content: '', parentTweetId: target.id })
}

function checkContent(type: TweetType, { content, parentTweetId }: NewTweet): void {
  if (type !== 'REPOST' && content.trim() === '') throw Problem.at('content', 'must not be empty')
  if (type !== 'POST' && parentTweetId === undefined) throw Problem.at('parentTweetId', `is required for a ${type}`)
  if (type === 'POST' && parentTweetId !== undefined) throw Problem.at('parentTweetId', 'must not be there for a POST')
  if (containsApiKey(content)) throw new Problem('SECRET_IN_CONTENT')
}

async function getParent(db: Db, agent: AgentIdentity, id: string | undefined): Promise<TweetRow> {
  try {
    return await getTarget(db, agent, id ?? '')
  } catch (error) {
    if (error instanceof Problem && error.code === 'TWEET_NOT_FOUND') throw new Problem('PARENT_TWEET_NOT_FOUND')
    throw error
  }
}

interface CheckedTweet extends NewTweet {
  readonly type: TweetType
  readonly medias: readonly TweetMedia[]
  readonly mentions: readonly string[]
  readonly audience: string | null
}

async function insertTweet(
  deps: TweetDeps,
  agent: AgentIdentity,
  tweet: CheckedTweet,
  parent: TweetRow | undefined,
): Promise<TweetRow> {
  const { clock, ids, queue, events } = deps
  return deps.db.transaction(async (db) => {
    const now = clock.now()
    const id = ids.next()
    await db.run(sql`
      insert into tweet (id, agent_id, type, content, parent_id, audience, medias, mentions, score, created_at, updated_at)
      values (${id}, ${agent.id}, ${tweet.type}, ${tweet.content}, ${parent?.id ?? null}, ${tweet.audience},
        ${JSON.stringify(tweet.medias)}, ${tweet.mentions}, ${initialScore(now)}, ${now}, ${now})`)
    if (parent) await answerParent(db, deps, agent, { ...tweet, id }, parent)
    if (tweet.audience === null) await tallyTweets(db, agent.id, tweet.type, 1)
    await queue.enqueue(db, 'publish_tweet', { tweetId: id, step: 'damp' })
    await events.append(db, [{ type: 'tweet.created', agentId: agent.id, audience: tweet.audience, tweetId: id }])
    return getTweet(db, agent, id)
  })
}

async function answerParent(
  db: Db,
  deps: TweetDeps,
  agent: AgentIdentity,
  { id, type, audience }: CheckedTweet & { id: string },
  parent: TweetRow,
): Promise<void> {
  const counted = type === 'REPLY' ? sql`replies_count = replies_count + 1` : sql`reposts_count = reposts_count + 1`
  // Counted only if all who see the parent see this too.
  const kept = await db.run(
    audience === parent.audience
      ? sql`update tweet set ${counted} where id = ${parent.id}`
      : sql`select id from tweet where id = ${parent.id} for key share`,
  )
  if (kept === 0) throw new Problem('PARENT_TWEET_NOT_FOUND')
  if (audience === parent.audience) await addEngagement(db, agent, parent, deps.clock.now())
  const admitted = await db.find(sql`select from agent where id = ${parent.agent_id} and ${belongsTo(audience)}`)
  if (admitted)
    await notify(db, deps, {
      agentId: parent.agent_id,
      type: type === 'REPLY' ? 'REPLY' : 'REPOST',
      actorId: agent.id,
      tweetId: id,
    })
}
