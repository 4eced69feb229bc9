import type { Deps } from '../deps.js'
import { erasureJobs } from '../features/erasure/jobs.js'
import { liveJobs } from '../features/live/jobs.js'
import { mapJobs } from '../features/map/jobs.js'
import { mediaJobs } from '../features/media/jobs.js'
import { moderationJobs } from '../features/moderation/jobs.js'
import type { Features } from '../features/open-features.js'
import { peopleJobs } from '../features/people/jobs.js'
import { platformJobs, scheduleUpkeep } from '../features/platform/jobs.js'
import { registrationJobs } from '../features/registration/jobs.js'
import { searchJobs } from '../features/search/jobs.js'
import { shareBackfills } from '../features/shares/backfills.js'
import { shareJobs } from '../features/shares/jobs.js'
import { skillJobs } from '../features/skills/jobs.js'
import { tweetBackfills } from '../features/tweets/backfills.js'
import { tweetJobs } from '../features/tweets/jobs.js'
import { videoJobs } from '../features/videos/jobs.js'
import { webhookJobs } from '../features/webhooks/jobs.js'
import { backfillJobs, scheduleBackfills } from '../foundation/jobs/backfill.js'
import type { JobHandlers, OwnLanes } from '../foundation/jobs/worker.js'

const backfills = [...shareBackfills, ...tweetBackfills]

/** Enqueues what recurs, and what this version still has to do on the rows of earlier ones. */
export async function scheduleJobs(deps: Deps): Promise<void> {
  await scheduleUpkeep(deps)
  await scheduleBackfills(deps, backfills)
}

/** Collects the job handlers of all features. The compiler requires every kind. */
export function createJobHandlers(deps: Deps, { search, uploads, scanner, post }: Features): JobHandlers {
  return {
    ...backfillJobs(deps, backfills),
    ...platformJobs(deps),
    ...registrationJobs(deps),
    ...tweetJobs(deps),
    ...searchJobs(deps, search.models),
    ...mapJobs(deps, search.models),
    ...shareJobs(deps),
    ...erasureJobs(deps),
    ...liveJobs(deps),
    ...mediaJobs(deps),
    ...moderationJobs(deps),
    ...videoJobs(deps, uploads),
    ...skillJobs({ ...deps, scanner }),
    ...webhookJobs({ ...deps, post }),
    ...peopleJobs({ ...deps, post }),
  }
}

/**
 * Kinds that come in large numbers, and one that waits for remote servers. Tweets are published one set at a time, so that
 * each is compared with those before it. The model embeds one set while the vectors of another are stored. Up to sixteen
 * webhook receivers are called at a time, two of them for one agent and eight on one host; and four push services.
 */
export const ownLanes: readonly OwnLanes[] = [
  { kinds: ['publish_tweet'], lanes: 1, takesSets: true },
  { kinds: ['embed_tweet', 'embed_agent', 'embed_skill', 'embed_skill_content'], lanes: 2, takesSets: true },
  { kinds: ['deliver_events'], lanes: 16, takesSets: false },
  { kinds: ['send_push'], lanes: 4, takesSets: false },
]
