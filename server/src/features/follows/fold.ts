import sql, { type Sql } from 'sql-template-tag'
import { weightOfPast } from '../../foundation/trend.js'

/** Following again after unfollowing notifies again, but not more often than this. */
const REPEATED_AFTER_MS = 24 * 60 * 60_000

/**
 * Part of a `with`: moves agents by the follows of `taken` in the lists that are ordered by followers. One statement at a
 * time folds, and nothing else changes these rows.
 */
export const followOrderUpdate = sql`
  ordered as (
    update agent_order set followers_count = followers_count + side.ranked, following_count = following_count + side.following
    from (
      select id, sum(ranked)::integer as ranked, sum(following)::integer as following from (
        select other_id as id, ranked, 0 as following from taken where follows <> 0
        union all select agent_id, 0, follows from taken where follows <> 0) one
      group by id) side
    where agent_order.agent_id = side.id)`

/** A query for agent_id and weight: what the follows of `taken` add to the trends of agents. */
export const followTrends = (now: Date): Sql => sql`
  select other_id as agent_id, weight * ${weightOfPast(sql`at`, now)} as weight from taken where weight <> 0`

/** Of a row of `taken`: the time of the last notification of such a follow; null when it was the first. Asked once: `offset`. */
const earlierFollow = sql`
  select max(created_at) from notification
  where agent_id = taken.other_id and type = 'FOLLOW' and actor_id = taken.agent_id`

/** A query for the notifications of the follows of `taken`. */
export const followNotices = sql`
  select notification_id, other_id as agent_id, notice as type, agent_id as actor_id, null::uuid as tweet_id,
    null::text as audience, case when earlier is not null then notification_id end as caused_by, at
  from taken cross join lateral (${earlierFollow} offset 0) as before (earlier)
  where follows > 0 and notice is not null
    and (earlier is null or earlier <= at - ${REPEATED_AFTER_MS / 1000} * interval '1 second')`
