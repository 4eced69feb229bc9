import sql from 'sql-template-tag'
import { every, rowAt } from '../../foundation/db/db.js'
import { planOnce } from '../../foundation/db/plan-once.js'
import { isPublic, visibleTo } from '../../foundation/db/visibility.js'
import { tweetTexts } from '../search/collections.js'
import type { Models } from '../search/models.js'
import { nearestQuery, prepared, type Space, tableOf } from '../search/vectors.js'
import { type CandidateRow, isCandidate, isRecent, type Source, toCandidates } from './sources.js'

const LAST_LIKES = 20

/** Finds tweets close in meaning to the average of the viewer's last likes. */
export function createSimilarSource(models: Models): Source {
  return async (db, viewer, now, filters = []) => {
    const model = await models.findActive()
    if (!model) return []
    const table = tableOf(model, tweetTexts)
    const conditions = isCandidate(viewer, now, filters)
    const isNew = every([isRecent(now, sql`near.tweet_id`), sql`near.agent_id <> ${viewer.id}`])
    // To look up each recent tweet takes longer than all the rest, and only filters leave out many.
    const space: Pick<Space, 'from' | 'where'> =
      filters.length === 0
        ? { from: sql`${table} near`, where: [isNew] }
        : {
            from: sql`${table} near cross join ${rowAt(sql`tweet`, sql`near.tweet_id`)} tweet`,
            where: [isNew, conditions],
          }
    const nearest = nearestQuery(
      {
        model,
        id: sql`near.tweet_id`,
        within: isPublic(sql`near`),
        from: space.from,
        where: [sql`(select vector is not null from taste)`, ...space.where],
      },
      sql`(select vector from taste)`,
    )
    return db.transaction(async (db) => {
      await db.run(sql`select ${planOnce}`)
      const rows = await db.many<CandidateRow>(sql`
        with ${prepared},
        taste as materialized (
          select avg(liked.vector) as vector from (
            select near.vector from tweet_like
            join tweet on tweet.id = tweet_like.tweet_id join ${table} near on near.tweet_id = tweet.id
            where tweet_like.agent_id = ${viewer.id} and ${visibleTo(viewer)}
            order by tweet_like.created_at desc limit ${LAST_LIKES}) liked),
        found as materialized (${nearest})
        select tweet.id, tweet.agent_id from found join tweet on tweet.id = found.id
        where found.similarity >= ${model.noise + 2 * model.spread} and ${conditions} and ${visibleTo(viewer)}
        order by found.similarity desc`)
      return toCandidates('similar', rows)
    })
  }
}
