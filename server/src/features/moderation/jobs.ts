import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { undo } from './answer-appeal.js'
import type { DecisionRow } from './cases.js'
import { finishDecision } from './decide.js'
import { type SettleProgress, settleAgent } from './settle-agent.js'

export function moderationJobs(deps: Deps): Pick<JobHandlers, 'settle_agent' | 'end_decision'> {
  const { db, clock } = deps
  return {
    async settle_agent(job) {
      let progress: SettleProgress = job.payload
      while (!job.stopping()) {
        const next = await db.transaction(async (db) => {
          const next = await settleAgent(db, deps, progress)
          if (next) await job.saveProgress(db, next)
          return next
        })
        if (!next) return undefined
        progress = next
        await job.rest()
      }
      return { again: clock.now() }
    },

    async end_decision(job) {
      const decision = await db.find<DecisionRow>(sql`select * from decision where id = ${job.payload.decisionId}`)
      if (!decision) return undefined
      const reason = 'The time that was set for it has passed.'
      const undone = await db.transaction((db) => undo(db, deps, decision, { reason, decidedBy: 'system' }))
      if (undone) await finishDecision(deps, undone)
      return undefined
    },
  }
}
