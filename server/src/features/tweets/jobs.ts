import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { forgetDeleted, removeNotificationsOf } from '../notifications/actions.js'
import { MAX_RECIPIENTS, notifyNextFollowers, publishTweets } from './publish.js'
import { settleWithheld } from './withhold.js'

/** How many tweets one transaction publishes. The embedded engine blocks all other work meanwhile. */
const SET_SIZE = { postgres: 250, embedded: 32 }
/** How long telling followers waits before it looks again whether the tweet is back. */
const WITHHELD_MS = 10 * 60_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type TweetJobs = Pick<JobHandlers, 'publish_tweet' | 'tell_followers' | 'remove_notifications' | 'settle_withheld'>

export function tweetJobs(deps: Deps): TweetJobs {
  const { db, clock, database } = deps
  return {
    /** Each transaction removes the jobs whose tweets it published, so a killed worker loses and repeats nothing. */
    async publish_tweet(job) {
      let waiting = [{ id: job.id, payload: job.payload }, ...(await job.takeMore(SET_SIZE[database.engine] - 1))]
      while (!job.stopping()) {
        const left = await db.transaction(async (db) => {
          const tweetIds = await publishTweets(
            db,
            deps,
            waiting.map(({ payload }) => payload.tweetId),
          )
          const left = waiting.filter(({ payload }) => tweetIds.includes(payload.tweetId))
          const done = waiting.filter((publish) => !left.includes(publish))
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
        const told = await db.transaction(async (db) => {
          const told = await notifyNextFollowers(db, deps, tweetId, after)
          if (typeof told === 'object') await job.saveProgress(db, { tweetId, after: told.last })
          return told
        })
        if (told === 'all') return undefined
        if (told === 'withheld') return { again: new Date(clock.now().getTime() + WITHHELD_MS) }
        after = told.last
        await job.rest()
      }
      return { again: clock.now() }
    },

    async settle_withheld(job) {
      while (!job.stopping()) {
        if (!(await db.transaction((db) => settleWithheld(db, deps, job.payload.tweetIds)))) return undefined
        await job.rest()
      }
      return { again: clock.now() }
    },

    async remove_notifications(job) {
      const { tweetId } = job.payload
      while (!job.stopping()) {
        const isLast = await db.transaction(async (db) => {
          const isLast = (await removeNotificationsOf(db, tweetId, MAX_RECIPIENTS)) < MAX_RECIPIENTS
          if (isLast) await forgetDeleted(db, tweetId)
          return isLast
        })
        if (isLast) return undefined
        await job.rest()
      }
      return { again: clock.now() }
    },
  }
}
