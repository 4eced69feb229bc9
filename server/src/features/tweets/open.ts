import type { Deps } from '../../deps.js'
import { createAgentBatch, createBatch } from '../../foundation/db/batch.js'
import type { TweetAsk } from './check.js'
import { createTweets, type PostCap } from './create.js'
import { createKeptJson } from './kept-json.js'
import { type LikeAsk, likeTweets, unlikeTweets } from './likes.js'
import { type SeeAsk, seeTweets } from './queries.js'
import { createViewCounts } from './view-counts.js'

/** What tweets keep while the process runs: batches that serve many callers at once, and views not yet written. */
export type Tweets = ReturnType<typeof openTweets>

export function openTweets(deps: Deps, postCap: PostCap) {
  const { db, clock, secrets, lanes, log } = deps
  const onError = (error: Error) => log.warn({ message: error.message }, 'views wait')
  return {
    postCap,
    keptJson: createKeptJson({ db }),
    viewCounts: createViewCounts({ db, clock, secrets, onError }),
    see: createBatch((asks: readonly SeeAsk[]) => seeTweets(db, asks)),
    create: createAgentBatch(lanes, (asks: readonly TweetAsk[]) => createTweets(deps, postCap, asks)),
    like: createAgentBatch(lanes, (asks: readonly LikeAsk[]) => likeTweets(deps, asks)),
    unlike: createAgentBatch(lanes, (asks: readonly LikeAsk[]) => unlikeTweets(deps, asks)),
  }
}
