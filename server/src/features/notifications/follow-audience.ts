import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import { isWithheld, WITHHELD } from '../../foundation/db/visibility.js'

/**
 * Gives at most `limit` notifications about tweets the audience that their tweets have now, so that those about a tweet that
 * was taken down are not counted, and are again once it is back. Returns how many it changed.
 */
export function followAudience(db: Db, tweetIds: readonly string[], limit: number): Promise<number> {
  const ids = literal(tweetIds)
  return db.run(sql`
    update notification set audience = moved.audience
    from (
      select agent_id, id, audience from (${wanted(ids)}) wanted
      where former is distinct from audience order by agent_id, id limit ${limit}) moved
    where notification.agent_id = moved.agent_id and notification.id = moved.id`)
}

// A repost with words counts for those who see it, anything else for those who see the tweet that it is about.
const wanted = (ids: string): Sql => sql`
  select notification.agent_id, notification.id, notification.audience as former,
    case when ${isWithheld(sql`tweet`)} or ${isWithheld(sql`cause`)} then ${WITHHELD}
      when cause.id is not null then cause.audience else tweet.audience end as audience
  from notification
  left join tweet on tweet.id = notification.tweet_id
  left join tweet cause on cause.id = notification.cause_id and notification.type = 'REPOST'
  where notification.tweet_id = any(${ids}::uuid[]) or notification.cause_id = any(${ids}::uuid[])`
