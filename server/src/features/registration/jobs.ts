import type { Deps } from '../../deps.js'
import { withLongTimeouts } from '../../foundation/db/db.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { advanceRelink } from './complete-relink.js'
import { releaseUsernames } from './release-usernames.js'

const RELEASE_EVERY_MS = 60 * 60_000

export function registrationJobs(deps: Deps): Pick<JobHandlers, 'advance_relink' | 'release_usernames'> {
  return {
    advance_relink: ({ payload }) => advanceRelink(deps, payload.relinkId),
    async release_usernames() {
      await releaseUsernames({ ...deps, db: withLongTimeouts(deps.db) })
      return { again: new Date(deps.clock.now().getTime() + RELEASE_EVERY_MS) }
    },
  }
}
