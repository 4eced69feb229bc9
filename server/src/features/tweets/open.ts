import type { Deps } from '../../deps.js'
import { createAgentBatch, createBatch } from '../../foundation/db/batch.js'
import type { TweetRequest } from './check.js'
import { createTweets, type PostCap } from './create.js'
import { createTweetJsonCache } from './json-cache.js'
import { type LikeRequest, likeTweets, unlikeTweets } from './likes.js'
import { type SeeRequest, seeTweets } from './queries.js'
import { createRepeats } from './repeats.js'
import { showTweets } from './show.js'
import { createViewCounts } from './view-counts.js'

/** The in-process state of tweets: batches that serve many callers at once, cached JSON and unwritten views. */
export type Tweets = ReturnType<typeof openTweets>

export function openTweets(deps: Deps, postCap: PostCap) {
  const { db, clock, secrets, lanes, log, mediaUrls } = deps
  const onError = (error: Error) => log.warn({ message: error.message }, 'views wait')
  const refuseRepeat = createRepeats(deps)
  const jsonCache = createTweetJsonCache({ db, mediaUrls })
  return {
    postCap,
    refuseRepeat,
    jsonCache,
    viewCounts: createViewCounts({ db, clock, secrets, onError }),
    show: createBatch((requests: readonly SeeRequest[]) => showTweets({ db, jsonCache }, requests)),
    see: createBatch((requests: readonly SeeRequest[]) => seeTweets(db, requests)),
    create: createAgentBatch(lanes, (requests: readonly TweetRequest[]) =>
      createTweets(deps, postCap, requests, refuseRepeat),
    ),
    like: createAgentBatch(lanes, (requests: readonly LikeRequest[]) => likeTweets(deps, requests)),
    unlike: createAgentBatch(lanes, (requests: readonly LikeRequest[]) => unlikeTweets(deps, requests)),
  }
}
