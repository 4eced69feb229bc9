import sql from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { belongsTo } from '../db/visibility.js'
import type { Deps } from '../deps.js'
import type { JobHandlers } from '../jobs/worker.js'
import { notifyMany, removeNotificationsOf } from '../notifications/actions.js'
import { dampNearDuplicate } from './near-duplicates.js'
import type { TweetRow } from './queries.js'

/** How many are told in one transaction: long enough to be fast, short enough to keep nobody waiting. */
const BATCH = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export function tweetJobs({
  db,
  clock,
  ids,
  queue,
  events,
}: Deps): Pick<JobHandlers, 'publish_tweet' | 'remove_notifications'> {
  return {
    /** Lets it be found, looks for near-duplicates, tells those mentioned, then the followers, in steps that survive a kill. */
    async publish_tweet(job) {
      const { tweetId } = job.payload
      let progress = job.payload
      while (!job.stopping()) {
        const next = await db.transaction(async (db): Promise<typeof progress | undefined> => {
          const tweet = await db.find<TweetRow>(sql`select * from tweet where id = ${tweetId} for key share`)
          if (!tweet) return undefined
          const following = await step(db, tweet, progress)
          if (following) await job.saveProgress(db, following)
          return following
        })
        if (!next) return undefined
        progress = next
      }
      return { again: clock.now() }
    },

    async remove_notifications(job) {
      const { tweetId } = job.payload
      while (!job.stopping()) if ((await removeNotificationsOf(db, tweetId, BATCH)) < BATCH) return undefined
      return { again: clock.now() }
    },
  }

  type Progress = Parameters<JobHandlers['publish_tweet']>[0]['payload']

  async function step(db: Db, tweet: TweetRow, progress: Progress): Promise<Progress | undefined> {
    const { tweetId } = progress
    if (progress.step === 'damp') {
      if (tweet.content !== '') await queue.enqueue(db, 'embed_tweet', { id: tweetId })
      if (tweet.type !== 'REPOST') await dampNearDuplicate(db, tweet)
      return { tweetId, step: 'mentions' }
    }
    if (progress.step === 'mentions') {
      await tellMentioned(db, tweet)
      return tweet.type === 'POST' ? { tweetId, step: 'followers', after: FIRST_ID } : undefined
    }
    const after = await tellFollowers(db, tweet, progress.after ?? FIRST_ID)
    return after === undefined ? undefined : { tweetId, step: 'followers', after }
  }

  async function tellMentioned(db: Db, tweet: TweetRow): Promise<void> {
    if (tweet.mentions.length === 0) return
    const rows = await db.many<{ id: string }>(sql`
      select id from agent where username = any(${tweet.mentions}) and ${belongsTo(tweet.audience)} order by id`)
    await tell(db, tweet, 'MENTION', rows)
  }

  async function tellFollowers(db: Db, tweet: TweetRow, after: string): Promise<string | undefined> {
    const rows = await db.many<{ id: string }>(sql`
      select agent.id from follow join agent on agent.id = follower_id
      where followed_id = ${tweet.agent_id} and follower_id > ${after} and ${belongsTo(tweet.audience)}
      order by follower_id limit ${BATCH}`)
    await tell(db, tweet, 'NEW_TWEET', rows)
    return rows.length < BATCH ? undefined : rows.at(-1)?.id
  }

  async function tell(db: Db, tweet: TweetRow, type: 'MENTION' | 'NEW_TWEET', rows: { id: string }[]): Promise<void> {
    if (rows.length === 0) return
    const agentIds = rows.map((row) => row.id)
    await notifyMany(db, { clock, ids, events }, agentIds, {
      type,
      actorId: tweet.agent_id,
      tweetId: tweet.id,
      audience: tweet.audience,
    })
  }
}
