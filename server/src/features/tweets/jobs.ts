import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { removeNotificationsOf } from '../notifications/actions.js'
import { MOST_TOLD, publishTweets, tellNextFollowers } from './publish.js'

/** How many tweets are published together. The embedded engine serves nobody else meanwhile. */
const SET = { postgres: 250, embedded: 32 }
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type TweetJobs = Pick<JobHandlers, 'publish_tweet' | 'tell_followers' | 'remove_notifications'>

export function tweetJobs(deps: Deps): TweetJobs {
  const { db, clock, database } = deps
  return {
    /** Each transaction removes the jobs whose tweets it published, so that a kill undoes or repeats nothing. */
    async publish_tweet(job) {
      let waiting = [{ id: job.id, payload: job.payload }, ...(await job.takeMore(SET[database.engine] - 1))]
      while (!job.stopping()) {
        const left = await db.transaction(async (db) => {
          const tweetIds = await publishTweets(
            db,
            deps,
            waiting.map(({ payload }) => payload.tweetId),
          )
          const left = waiting.filter(({ payload }) => tweetIds.includes(payload.tweetId))
          const done = waiting.filter((it) => !left.includes(it))
          await job.complete(
            db,
            done.map(({ id }) => id),
          )
          return left
        })
        if (left.length === 0) return undefined
        waiting = left
        await job.rest()
      }
      return { again: clock.now() }
    },

    async tell_followers(job) {
      const { tweetId } = job.payload
      let after = job.payload.after ?? FIRST_ID
      while (!job.stopping()) {
        const last = await db.transaction(async (db) => {
          const last = await tellNextFollowers(db, deps, tweetId, after)
          if (last !== undefined) await job.saveProgress(db, { tweetId, after: last })
          return last
        })
        if (last === undefined) return undefined
        after = last
        await job.rest()
      }
      return { again: clock.now() }
    },

    async remove_notifications(job) {
      const { tweetId } = job.payload
      while (!job.stopping()) {
        if ((await removeNotificationsOf(db, tweetId, MOST_TOLD)) < MOST_TOLD) return undefined
        await job.rest()
      }
      return { again: clock.now() }
    },
  }
}
