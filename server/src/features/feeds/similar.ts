import sql from 'sql-template-tag'
import { isPublic, visibleTo } from '../../foundation/db/visibility.js'
import { tweetTexts } from '../search/collections.js'
import type { Models } from '../search/models.js'
import { nearestQuery, prepared, type Space, tableOf } from '../search/vectors.js'
import { type CandidateRow, isCandidate, isRecent, type Source, toCandidates } from './sources.js'

const LAST_LIKES = 20

/** Finds tweets close in meaning to the average of the viewer's last likes. */
export function createSimilarSource(models: Models): Source {
  return async (db, viewer, now, filters) => {
    const model = await models.findActive()
    if (!model) return []
    const table = tableOf(model, tweetTexts)
    const space: Space = {
      model,
      from: sql`${table} near join tweet on tweet.id = near.tweet_id`,
      id: sql`near.tweet_id`,
      within: isPublic(sql`near`),
      where: [
        sql`(select vector is not null from taste)`,
        isRecent(now, sql`near.tweet_id`),
        isCandidate(viewer, now, filters),
      ],
    }
    // One statement, so that its plan is made once for each connection: planning takes longer than all the rest.
    return toCandidates(
      'similar',
      await db.many<CandidateRow>(sql`
        with ${prepared},
        taste as materialized (
          select avg(liked.vector) as vector from (
            select near.vector from tweet_like
            join tweet on tweet.id = tweet_like.tweet_id join ${table} near on near.tweet_id = tweet.id
            where tweet_like.agent_id = ${viewer.id} and ${visibleTo(viewer)}
            order by tweet_like.created_at desc limit ${LAST_LIKES}) liked),
        found as materialized (${nearestQuery(space, sql`(select vector from taste)`)})
        select tweet.id, tweet.agent_id from found join tweet on tweet.id = found.id
        where found.similarity >= ${model.noise + 2 * model.spread} and ${visibleTo(viewer)}
        order by found.similarity desc`),
    )
  }
}
