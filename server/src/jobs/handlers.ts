import type { Deps } from '../deps.js'
import { eventJobs } from '../events/jobs.js'
import { platformJobs } from '../platform/jobs.js'
import { searchJobs } from '../search/jobs.js'
import { shareJobs } from '../shares/jobs.js'
import { skillJobs } from '../skills/jobs.js'
import { tweetJobs } from '../tweets/jobs.js'
import { videoJobs } from '../videos/jobs.js'
import type { JobHandlers } from './worker.js'

/** All features' background work in one map, which the compiler requires to be complete. */
export function createJobHandlers(deps: Deps): JobHandlers {
  return {
    ...platformJobs(deps),
    ...tweetJobs(deps),
    ...searchJobs(deps),
    ...shareJobs(deps),
    ...eventJobs(deps),
    ...videoJobs(deps),
    ...skillJobs(deps),
  }
}
