import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Row } from '../../foundation/db/row.js'
import type { NewTweet } from './check.js'
import { type DeleteDeps, removeTweet } from './delete.js'
import { getTarget } from './queries.js'

/** A repost without text. */
export function repostOf({ id }: { id: string }): NewTweet {
  return { type: 'REPOST', content: '', parentTweetId: id }
}

/** Replaces PARENT_TWEET_NOT_FOUND: the caller of a repost named a tweet, not a parent. */
export function translateParentProblem(error: unknown): unknown {
  const isMissing = error instanceof Problem && error.code === 'PARENT_TWEET_NOT_FOUND'
  return isMissing ? new Problem('TWEET_NOT_FOUND') : error
}

/**
 * Removes the agent's repost of a tweet, with or without words. A bare repost's id stands for its original, so either id
 * does. The id of a repost with words stands for that tweet itself: repeating a call never removes the words. Idempotent.
 */
export async function undoRepost(deps: DeleteDeps, agent: AgentIdentity, { id }: { id: string }): Promise<number> {
  const original = await getTarget(deps.db, agent, id)
  return deps.db.transaction(async (db) => {
    const repost = await db.find<Row<'tweet', 'id'>>(sql`
      select id from tweet where parent_id = ${original.id} and agent_id = ${agent.id} and type = 'REPOST'`)
    if (repost) await removeTweet(db, deps, agent, repost)
    const counted = await db.find<Row<'tweet', 'reposts_count'>>(
      sql`select reposts_count from tweet where id = ${original.id}`,
    )
    // Its author may have deleted it since it was found.
    if (!counted) throw new Problem('TWEET_NOT_FOUND')
    return counted.reposts_count
  })
}
