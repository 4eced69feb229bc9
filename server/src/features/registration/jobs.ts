import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { advanceRelink } from './complete-relink.js'

export function registrationJobs(deps: Deps): Pick<JobHandlers, 'advance_relink'> {
  return { advance_relink: ({ payload }) => advanceRelink(deps, payload.relinkId) }
}
