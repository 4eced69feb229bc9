import type { Deps } from '../deps.js'
import { eventJobs } from '../events/jobs.js'
import { platformJobs } from '../platform/jobs.js'
import { searchJobs } from '../search/jobs.js'
import { shareJobs } from '../shares/jobs.js'
import { skillJobs } from '../skills/jobs.js'
import { tweetJobs } from '../tweets/jobs.js'
import { videoJobs } from '../videos/jobs.js'
import type { JobHandlers, OwnLanes } from './worker.js'

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

/**
 * Kinds that come in great numbers and are done in sets. Tweets are published one set after the other, so that each is
 * compared with those before it. The model embeds one set while the vectors of another are stored.
 */
export const ownLanes: readonly OwnLanes[] = [
  { kinds: ['publish_tweet'], lanes: 1 },
  { kinds: ['embed_tweet', 'embed_agent', 'embed_skill', 'embed_skill_content'], lanes: 2 },
]
