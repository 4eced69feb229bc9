import sql from 'sql-template-tag'
import { rowAt } from '../../foundation/db/db.js'
import { isPublic, visibleTo } from '../../foundation/db/visibility.js'
import { tweetTexts } from '../search/collections.js'
import type { Models } from '../search/models.js'
import { nearestQuery, prepared, type Space, tableOf } from '../search/vectors.js'
import { isCandidate, isRecent, type Source } from './sources.js'

const LAST_LIKES = 20

/** Selects tweets close in meaning to the average of the viewer's last likes. */
export function createSimilarSource(models: Models): Source {
  return async (viewer, now, filters) => {
    const model = await models.findActive()
    if (!model) return undefined
    const table = tableOf(model, tweetTexts)
    const atLeast = model.noise + 2 * model.spread
    const conditions = isCandidate(viewer, now, filters)
    const isNew = isRecent(now, sql`near.tweet_id`)
    const isOfOthers = sql`near.agent_id <> ${viewer.id}`
    const hasTaste = sql`(select vector is not null from taste)`
    // To look up each recent tweet takes longer than all the rest, and only filters leave out many.
    const space: Pick<Space, 'from' | 'where' | 'counted'> =
      filters.length === 0
        ? { from: sql`${table} near`, where: [hasTaste, isNew, isOfOthers], counted: [hasTaste, isNew] }
        : {
            from: sql`${table} near cross join ${rowAt(sql`tweet`, sql`near.tweet_id`)} tweet`,
            where: [hasTaste, isNew, isOfOthers, conditions],
          }
    const nearest = nearestQuery(
      { model, id: sql`near.tweet_id`, within: isPublic(sql`near`), atLeast, ...space },
      sql`(select vector from taste)`,
    )
    return sql`
      with ${prepared},
      taste as materialized (
        select avg(last.vector) as vector from (
          select near.vector from tweet_like
          join tweet on tweet.id = tweet_like.tweet_id join ${table} near on near.tweet_id = tweet.id
          where tweet_like.agent_id = ${viewer.id} and ${visibleTo(viewer)}
          order by tweet_like.created_at desc limit ${LAST_LIKES}) last),
      alike as materialized (${nearest})
      select 'similar', tweet.id, tweet.agent_id, alike.similarity as score
      from alike cross join ${rowAt(sql`tweet`, sql`alike.id`)} tweet
      where alike.similarity >= ${atLeast} and ${conditions}`
  }
}
