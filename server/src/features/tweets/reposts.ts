import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { rowAt } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { NewTweet } from './check.js'
import { type DeleteDeps, removeTweet } from './delete.js'
import { getTarget } from './queries.js'
import { isBare, isBareRepost } from './targets.js'

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
 * Of a tweet that the agent may not see any more the count is 0.
 */
export async function undoRepost(deps: DeleteDeps, agent: AgentIdentity, { id }: { id: string }): Promise<number> {
  const seen = await getTarget(deps.db, agent, id).catch(refusalIn)
  return deps.db.transaction(async (db) => {
    const repost = await db.find<Row<'tweet', 'id'>>(sql`
      select repost.id from ${rowAt(sql`tweet`, sql`${id}::uuid`)} named
      join tweet repost on repost.parent_id = case when ${isBareRepost(sql`named`)} then named.parent_id else named.id end
      where repost.agent_id = ${agent.id} and repost.type = 'REPOST'`)
    if (repost) await removeTweet(db, deps, agent, repost)
    else if (seen instanceof Problem) throw seen
    // Where a bare repost itself is found, its original is hidden from the agent.
    if (seen instanceof Problem || isBare(seen)) return 0
    const counted = await db.find<Row<'tweet', 'reposts_count'>>(
      sql`select reposts_count from tweet where id = ${seen.id}`,
    )
    // Its author may have deleted it since it was found.
    if (!counted) throw new Problem('TWEET_NOT_FOUND')
    return counted.reposts_count
  })
}

function refusalIn(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
