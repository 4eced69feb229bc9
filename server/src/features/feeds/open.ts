import type { Deps } from '../../deps.js'
import type { Models } from '../search/models.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { createFirstPages } from './first-pages.js'
import { createForPeople } from './for-people.js'
import { createForYou } from './for-you.js'
import { createSimilarSource } from './similar.js'
import { followedSource, likedByFollowedSource, privateTrendingSource } from './sources.js'
import { createWordsPages } from './words-pages.js'

/** The in-process state of feeds: rankings per viewer, and batches that read pages for many callers at once. */
export type Feeds = ReturnType<typeof openFeeds>

export function openFeeds(
  { db, clock, config, mediaUrls }: Pick<Deps, 'db' | 'clock' | 'config' | 'mediaUrls'>,
  jsonCache: TweetJsonCache,
  models: Models,
) {
  const sources = [followedSource, likedByFollowedSource, createSimilarSource(models), privateTrendingSource]
  return {
    firstPages: createFirstPages({ db, jsonCache, mediaUrls }),
    forPeople: createForPeople({ clock }),
    wordsPages: createWordsPages({ db, clock, config, jsonCache }),
    forYou: createForYou({ db, clock, jsonCache, sources }),
  }
}
