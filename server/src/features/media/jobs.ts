import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { settleFile } from './settle-file.js'

export function mediaJobs(deps: Deps): Pick<JobHandlers, 'settle_file'> {
  const { db, clock } = deps
  return {
    async settle_file(job) {
      while (!job.stopping()) {
        if (!(await db.transaction((db) => settleFile(db, deps, job.payload.name)))) return undefined
        await job.rest()
      }
      return { again: clock.now() }
    },
  }
}
