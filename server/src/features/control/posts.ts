import { digestOf, recordAudit } from '../../foundation/audit/actions.js'
import type { NewTweet } from '../tweets/check.js'
import { requestApproval, summaryOf } from './approvals.js'
import { type AgentCall, actionOf, auditFields, type GateDeps, Waiting, type Work } from './governed.js'
import { getRules } from './rules.js'
import { pendingApprovalView } from './view.js'

/** Rolls back a rehearsed post. */
class Rehearsed extends Error {}

/**
 * Posts under the rules: the charge, the post and the audit entry are one transaction. A post that needs approval is
 * rehearsed, that is, made and rolled back. This way the owner is only asked about posts that are possible.
 */
export async function postUnderRules(deps: GateDeps, call: AgentCall, input: object, work: Work): Promise<unknown> {
  const { agent } = call
  try {
    return await deps.db.transaction(async (db) => {
      const answer = (await work(db)) as { id: string; content: string }
      const { approvePostsAfter, postsToday } = await getRules(db, deps, agent.id)
      if (approvePostsAfter !== null && postsToday > approvePostsAfter) throw new Rehearsed('rehearsed')
      await recordAudit(db, deps, {
        ...auditFields(call),
        agentId: agent.id,
        target: answer.id,
        summary: call.endpoint.summary,
        words: digestOf(deps.secrets, answer.content),
      })
      return answer
    })
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
    const action = actionOf(call.endpoint, input)
    const tweet = tweetOf(call.name, input)
    const row = await requestApproval(deps, call, { action, summary: summaryOf(action, tweet.content), tweet })
    return new Waiting(pendingApprovalView(deps.config, row))
  }
}

function tweetOf(name: string, input: object): NewTweet {
  if (name !== 'repostTweet') return input as NewTweet
  return { type: 'REPOST', content: '', parentTweetId: (input as { id: string }).id }
}
