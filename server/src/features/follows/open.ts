import type { Deps } from '../../deps.js'
import { createAgentBatch } from '../../foundation/db/batch.js'
import { createAgentIds } from '../agents/ids.js'
import { type FollowRequest, followAgents, unfollowAgents } from './actions.js'

/** The in-process state of follows: batches that write for many callers at once, and cached agent ids. */
export type Follows = ReturnType<typeof openFollows>

export function openFollows(deps: Deps) {
  return {
    findId: createAgentIds(deps),
    follow: createAgentBatch(deps.lanes, (requests: readonly FollowRequest[]) => followAgents(deps, requests)),
    unfollow: createAgentBatch(deps.lanes, (requests: readonly FollowRequest[]) => unfollowAgents(deps, requests)),
  }
}
