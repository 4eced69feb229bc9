import type { Deps } from '../../deps.js'
import { ENTRIES_AT_ONCE, eraseOldWords } from '../../foundation/audit/old-words.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { eraseDecidedWords } from '../control/approvals.js'
import { eraseSome } from './erasures.js'

const DAY_MS = 24 * 60 * 60_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const FIRST = { agentId: FIRST_ID, id: FIRST_ID }

export function erasureJobs(deps: Deps): Pick<JobHandlers, 'erase_audited_words' | 'erase'> {
  const { db, clock, log, secrets, identities } = deps
  return {
    async erase(job) {
      let hasEnded = false
      while (!job.stopping()) {
        const { sought, again } = await eraseSome(db, deps, job.payload.erasureId)
        if (again === 'never') return undefined
        if (again) return { again }
        // The command may have died before it waited for calls that were under way.
        if (sought?.kind === 'agent' && !hasEnded) await identities.endOlderCalls(sought.id)
        hasEnded = true
        await job.rest()
      }
      return { again: clock.now() }
    },

    /** Goes over the log twice, a day apart: an instance of an earlier release that still runs writes words meanwhile. */
    async erase_audited_words(job) {
      let { after = FIRST, read = 0 } = job.payload
      const isSecond = job.payload.isSecond ?? false
      while (!job.stopping()) {
        const last = await db.transaction(async (db) => {
          const last = await eraseOldWords(db, secrets, after)
          if (last) await job.saveProgress(db, { after: last, read: read + ENTRIES_AT_ONCE, isSecond })
          return last
        })
        if (!last) {
          while (!job.stopping() && (await eraseDecidedWords(db))) await job.rest()
          log.info({ read, isSecond }, 'words are out of the audit log')
          if (isSecond) return undefined
          await db.transaction((db) => job.saveProgress(db, { isSecond: true }))
          return { again: new Date(clock.now().getTime() + DAY_MS) }
        }
        after = last
        read += ENTRIES_AT_ONCE
        await job.rest()
      }
      return { again: clock.now() }
    },
  }
}
