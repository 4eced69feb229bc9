import type { Deps } from '../../deps.js'
import type { Models } from '../search/models.js'
import type { KeptJson } from '../tweets/kept-json.js'
import { createFirstPages } from './first-pages.js'
import { createForYou } from './for-you.js'
import { createSimilarSource } from './similar.js'
import { followedSource, likedByFollowedSource, trendingSource } from './sources.js'

/** What feeds keep while the process runs: rankings for their viewers, and pages that are read for many at once. */
export type Feeds = ReturnType<typeof openFeeds>

export function openFeeds({ db, clock }: Pick<Deps, 'db' | 'clock'>, keptJson: KeptJson, models: Models) {
  const sources = [followedSource, likedByFollowedSource, createSimilarSource(models), trendingSource]
  return {
    firstPages: createFirstPages({ db, keptJson }),
    forYou: createForYou({ db, clock, keptJson, sources }),
  }
}
