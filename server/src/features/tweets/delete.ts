import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { hideNotificationsOf, removeNotificationsOf } from '../notifications/actions.js'
import { removeEngagement } from './engagement.js'
import { removeBands } from './near-duplicates.js'
import { getTweet, type TweetRow } from './queries.js'
import { countRemovedTweet } from './tally.js'
import { isBareRepost } from './targets.js'

export type DeleteDeps = Pick<Deps, 'db' | 'queue' | 'events' | 'clock'>

/** The most notifications that a request removes itself. A background job removes the rest. */
const REMOVED_AT_ONCE = 500

/** Deletes an agent's own tweet and its bare reposts. Replies and reposts with words stay. */
export async function deleteTweet(deps: DeleteDeps, agent: AgentIdentity, { id }: { id: string }): Promise<void> {
  const tweet = await getTweet(deps.db, agent, id)
  if (tweet.agent_id !== agent.id) throw new Problem('NOT_THE_AUTHOR')
  await deps.db.transaction((db) => removeTweet(db, deps, agent, tweet))
}

/** Deletes a tweet, its bare reposts and everything that depends on them. */
export async function removeTweet(db: Db, deps: DeleteDeps, agent: AgentIdentity, tweet: TweetRow): Promise<void> {
  const bareReposts = await db.many<TweetRow>(sql`
    select * from tweet where parent_id = ${tweet.id} and ${isBareRepost(sql`tweet`)}`)
  for (const removed of [tweet, ...bareReposts]) await removeOne(db, deps, agent, removed)
}

async function removeOne(db: Db, deps: DeleteDeps, agent: AgentIdentity, tweet: TweetRow): Promise<void> {
  const { queue, events } = deps
  const removed = await db.run(sql`delete from tweet where id = ${tweet.id}`)
  if (removed === 0) return
  await removeBands(db, tweet.id)
  const { agent_id: agentId, audience } = tweet
  await events.append(db, [{ type: 'tweet.deleted', agentId, audience, tweetId: tweet.id }])
  await countRemovedTweet(db, tweet)
  if (tweet.parent_id !== null) await updateParent(db, deps, agent, tweet, tweet.parent_id)
  const notified = await removeNotificationsOf(db, tweet.id, REMOVED_AT_ONCE)
  if (notified < REMOVED_AT_ONCE) return
  await hideNotificationsOf(db, tweet.id)
  await queue.enqueue(db, 'remove_notifications', { tweetId: tweet.id })
}

async function updateParent(
  db: Db,
  { clock }: DeleteDeps,
  agent: AgentIdentity,
  tweet: TweetRow,
  parentId: string,
): Promise<void> {
  const countChange =
    tweet.type === 'REPLY' ? sql`replies_count = replies_count - 1` : sql`reposts_count = reposts_count - 1`
  const parent = await db.find<Row<'tweet', 'id' | 'agent_id'>>(sql`
    update tweet set ${countChange} where id = ${parentId} and audience is not distinct from ${tweet.audience}
    returning id, agent_id`)
  if (parent) await removeEngagement(db, agent.walletAddress, parent, clock.now())
}
