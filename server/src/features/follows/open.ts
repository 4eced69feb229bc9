import type { Deps } from '../../deps.js'
import { createAgentBatch } from '../../foundation/db/batch.js'
import { createAgentIds } from '../agents/ids.js'
import { type FollowAsk, followAgents, unfollowAgents } from './actions.js'

/** What follows keep while the process runs: batches that write for many callers at once. */
export type Follows = ReturnType<typeof openFollows>

export function openFollows(deps: Deps) {
  return {
    findId: createAgentIds(deps),
    follow: createAgentBatch(deps.lanes, (asks: readonly FollowAsk[]) => followAgents(deps, asks)),
    unfollow: createAgentBatch(deps.lanes, (asks: readonly FollowAsk[]) => unfollowAgents(deps, asks)),
  }
}
