import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { holdOrder } from '../../foundation/events/order.js'
import { removePublicMedia } from '../media/public-files.js'
import { hideNotificationsOf, removeNotificationsOf } from '../notifications/actions.js'
import { withdrawEngagement } from './engagement.js'
import { removeBands } from './near-duplicates.js'
import { getTweet, type TweetRow } from './queries.js'
import { countRemovedTweet } from './tally.js'
import { isBareRepost } from './targets.js'
import { formerAudience } from './withhold.js'

export type DeleteDeps = Pick<Deps, 'db' | 'queue' | 'events' | 'clock'>

/** The most notifications that a request removes itself. A background job removes the rest. */
const REMOVED_AT_ONCE = 500

/** Deletes an agent's own tweet and its bare reposts. Replies and reposts with words stay. */
export async function deleteTweet(deps: DeleteDeps, agent: AgentIdentity, { id }: { id: string }): Promise<void> {
  const tweet = await getTweet(deps.db, agent, id)
  if (tweet.agent_id !== agent.id) throw new Problem('NOT_THE_AUTHOR')
  await deps.db.transaction((db) => removeTweet(db, deps, agent, tweet))
}

type Author = Pick<AgentIdentity, 'walletAddress'>

type RemovedTweet = Row<
  'tweet',
  'id' | 'agent_id' | 'type' | 'content' | 'parent_id' | 'audience' | 'medias' | 'withheld'
>

/** Deletes a tweet, its bare reposts and everything that depends on them. */
export async function removeTweet(
  db: Db,
  deps: DeleteDeps,
  agent: Author,
  { id }: Pick<TweetRow, 'id'>,
): Promise<void> {
  await holdOrder(db)
  // What the caller has read may have been taken down or brought back since, and the counts depend on it. The parent's
  // counts change too: whatever changes counts of tweets locks them in the order of their ids.
  const locked = await db.many<RemovedTweet>(sql`
    select id, agent_id, type, content, parent_id, audience, medias, withheld from tweet
    where id in (
      select ${id}::uuid union all select parent_id from tweet where id = ${id}
      union all select id from tweet where parent_id = ${id} and ${isBareRepost(sql`tweet`)})
    order by id for no key update`)
  const removed = locked.filter((tweet) => tweet.id === id || tweet.parent_id === id)
  for (const tweet of removed) await removeOne(db, deps, agent, tweet)
}

async function removeOne(db: Db, deps: DeleteDeps, agent: Author, tweet: RemovedTweet): Promise<void> {
  const { queue, events } = deps
  await db.run(sql`delete from tweet where id = ${tweet.id}`)
  await removeBands(db, tweet.id)
  if (tweet.medias.length > 0) await removePublicMedia(db, tweet.id)
  const { agent_id: agentId, audience } = tweet
  await events.append(db, [{ type: 'tweet.deleted', agentId, audience, tweetId: tweet.id }])
  // What is taken down is not counted any more.
  if (tweet.withheld === null) await countRemovedTweet(db, tweet)
  if (tweet.parent_id !== null) await updateParent(db, deps, agent, tweet, tweet.parent_id)
  const notified = await removeNotificationsOf(db, tweet.id, REMOVED_AT_ONCE)
  if (notified < REMOVED_AT_ONCE) return
  await hideNotificationsOf(db, tweet.id)
  await queue.enqueue(db, 'remove_notifications', { tweetId: tweet.id })
}

async function updateParent(
  db: Db,
  { clock }: DeleteDeps,
  agent: Author,
  tweet: RemovedTweet,
  parentId: string,
): Promise<void> {
  // One that is taken down has left the counts, and not the engagement.
  const { audience, by } = tweet.withheld ? { audience: tweet.withheld.audience, by: 0 } : { ...tweet, by: 1 }
  const countChange =
    tweet.type === 'REPLY' ? sql`replies_count = replies_count - ${by}` : sql`reposts_count = reposts_count - ${by}`
  const parent = await db.find<Row<'tweet', 'id' | 'agent_id'>>(sql`
    update tweet set ${countChange}, version = version + 1
    where id = ${parentId} and ${formerAudience(sql`tweet`)} is not distinct from ${audience}
    returning id, agent_id`)
  if (parent) await withdrawEngagement(db, { author: tweet.agent_id, wallet: agent.walletAddress, parent }, clock.now())
}
