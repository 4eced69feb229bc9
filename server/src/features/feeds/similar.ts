import sql from 'sql-template-tag'
import { isPublic, visibleTo } from '../../foundation/db/visibility.js'
import { tweetTexts } from '../search/collections.js'
import type { Models } from '../search/models.js'
import { buildNearestQuery, prepareSearch, tableOf } from '../search/vectors.js'
import { type CandidateRow, isCandidate, isRecent, type Source, toCandidates } from './sources.js'

const LAST_LIKES = 20

/** Finds tweets close in meaning to the average of the viewer's last likes. */
export function createSimilarSource(models: Models): Source {
  return async (db, viewer, now, filters) => {
    const model = await models.findActive()
    if (!model) return []
    const table = tableOf(model, tweetTexts)
    return db.transaction(async (db) => {
      await prepareSearch(db)
      const { taste } = await db.one<{ taste: string | null }>(sql`
        select avg(liked.vector)::text as taste from (
          select near.vector from tweet_like
          join tweet on tweet.id = tweet_like.tweet_id join ${table} near on near.tweet_id = tweet.id
          where tweet_like.agent_id = ${viewer.id} and ${visibleTo(viewer)}
          order by tweet_like.created_at desc limit ${LAST_LIKES}) liked`)
      if (taste === null) return []
      const found = await buildNearestQuery(
        db,
        {
          model,
          from: sql`${table} near join tweet on tweet.id = near.tweet_id`,
          id: sql`near.tweet_id`,
          within: isPublic(sql`near`),
          where: [isRecent(now, sql`near.tweet_id`), isCandidate(viewer, now, filters)],
        },
        taste,
      )
      const floor = model.noise + 2 * model.spread
      return toCandidates(
        'similar',
        await db.many<CandidateRow>(sql`
          select tweet.id, tweet.agent_id from (${found}) found join tweet on tweet.id = found.id
          where found.similarity >= ${floor} and ${visibleTo(viewer)} order by found.similarity desc`),
      )
    })
  }
}
