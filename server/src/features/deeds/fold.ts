import sql, { raw, type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import { auditColumns } from '../../foundation/audit/queries.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { startOfMonth } from '../../foundation/db/partitions.js'
import { planOnce } from '../../foundation/db/plan-once.js'
import { isMemberOf } from '../../foundation/db/visibility.js'
import { hasDrafts, lockedLogIf, placeParts, type Step } from '../../foundation/events/order.js'
import { trendParts } from '../../foundation/trend.js'
import { followNotices, followOrderUpdate, followTrends } from '../follows/fold.js'
import { notifiedParts } from '../notifications/actions.js'
import { engagementParts, engagementTrends } from '../tweets/engagement.js'

const AT_ONCE = 600
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// A process that stands still in the middle of a set keeps all others waiting, so the database ends its transaction sooner than
// others. The embedded database has no such limit, and no other process.
const settings = sql`
  set_config('idle_in_transaction_session_timeout',
    case current_setting('idle_in_transaction_session_timeout') when '0' then '0' else '2s' end, true),
  set_config('rookery.repeats', 'left out', true),
  ${planOnce}`
const waiting = sql`(exists (select from first_deeds(1)) or ${hasDrafts})`

/**
 * Takes deeds, and drafts of events, in the order in which they were made, and writes all that follows from them: audit
 * lines, notifications, inboxes, engagement, scores, trends, and events with their places in the log. Returns how many it
 * took. A deed is either there or folded, whenever the process is killed; and one process at a time folds, because it holds
 * the row of the log. Where nothing waits, nothing is locked.
 */
export function foldDeeds({ db, clock }: { db: Db; clock: Clock }, atOnce = AT_ONCE): Promise<number> {
  return db.transaction(async (db) => {
    // A statement sees what was committed when it began. So it begins when whoever holds the order has committed.
    const log = await db.find(sql`select ${settings} from event_log where ${waiting} limit 1 for update`)
    return log ? foldNext(db, clock.now(), raw(String(atOnce))) : 0
  })
}

async function foldNext(db: Db, now: Date, most: Sql): Promise<number> {
  const { moved } = await db.one<{ moved: number }>(sql`
    with ${lockedLogIf(sql`true`)},
    first_deed as materialized (select id, place from first_deeds(${most})),
    first_draft as materialized (select id, place from first_drafts(${most})),
    bound as materialized (select least(${lastOf(sql`first_deed`, most)}, ${lastOf(sql`first_draft`, most)}) as id),
    taken as materialized (
      delete from deed using log cross join bound
      where deed.ctid = any(array(select place from first_deed)) and deed.id <= coalesce(bound.id, deed.id)
      returning deed.*),
    ${standingParts},
    ${engagementParts(now)},
    ${followOrderUpdate},
    ${trendParts(sql`${engagementTrends} union all ${followTrends(now)}`, now)},
    ${notifiedParts(notices(now))},
    audited as (
      insert into audit_entry (${auditColumns})
      select audit_id, agent_id, actor, action, 'done', null, target, summary, words_digest, words_characters, request_id, at
      from taken where audit_id is not null order by agent_id, audit_id),
    ${placeParts({ events, upTo: sql`select id from bound` })}
    select moved + (select count(*)::integer from taken) as moved from counted`)
  return moved
}

/** What the orderer of the log does. */
export const foldStep = (clock: Clock): Step => ({
  waiting,
  atOnce: AT_ONCE,
  run: (db) => foldDeeds({ db, clock }),
})

/** The id of the last row of a full set; null when a set has room for all. */
const lastOf = (first: Sql, most: Sql) => sql`(select max(id) from ${first} having count(*) = ${most})`

// A tweet that is deleted has no engagement and is nobody's news. None is deleted meanwhile: see `holdOrder`.
const standingParts = sql`
  standing as materialized (
    select id, audience from tweet where id = any(array(
      select unnest(array[engaged_id, about_id, cause_id]) from taken))),
  other as materialized (
    select id, subject, wallet_address from agent where id = any(array(select other_id from taken)))`

/**
 * What the notifications are about stands, and whom they are for may see it now. A like or repost that was withdrawn and done
 * again notifies nobody twice: the index of a month sees to that within it, and this in the set and in months before.
 */
function notices(now: Date): Sql {
  const tweetId = sql`coalesce(about_id, engaged_id)`
  const earlier = endOfOthers(sql`notification_id`, now)
  return sql`
    select distinct on (agent_id, type, actor_id, tweet_id, caused_by) * from (
      select notification_id, other_id as agent_id, notice as type, taken.agent_id as actor_id, ${tweetId} as tweet_id,
        about.audience, cause_id as caused_by, at, null::jsonb as traded, null::jsonb as decided
      from taken join standing about on about.id = coalesce(cause_id, about_id, engaged_id)
      join other on other.id = taken.other_id
      where notice is not null and (notice = 'LIKE' or ${isMemberOf(sql`about.audience`, sql`other`)})
        and (${tweetId} >= ${earlier} or not exists (
          select from notification known where known.agent_id = other_id and known.type = notice and known.type <> 'NEW_TWEET'
            and known.actor_id = taken.agent_id and known.tweet_id = ${tweetId} and known.cause_id is not distinct from taken.cause_id
            and known.id >= ${tweetId} and known.id < ${earlier}))
      union all
      select follow.*, null, null from (${followNotices}) follow) notice
    order by agent_id, type, actor_id, tweet_id, caused_by, notification_id`
}

/** The id below which a notification may be in another month than `id`. PostgreSQL then does without the others. */
function endOfOthers(id: Sql, now: Date): Sql {
  const [month, next] = [0, 1].map((later) => idAt(startOfMonth(now, later)))
  return sql`case when ${id} >= ${month}::uuid and ${id} < ${next}::uuid then ${month}::uuid else ${LAST_ID}::uuid end`
}

/** The events of `taken`: what was done, and then who is notified of it. */
const events: Sql = sql`
  select id, 0 as part, event as type, case event when 'follow.created' then 'follows' else 'tweets' end as topic, at,
    case when tweet_id is not null then agent_id end as agent_id, audience, null::uuid as recipient_id, tweet_id,
    case when tweet_id is null then jsonb_object(array['followerId', agent_id::text, 'followedId', other_id::text]) else '{}' end as data
  from taken where event is not null
  union all
  select taken.id, 1, 'notification.created', 'notifications', created_at, null, null, notified.agent_id, notified.tweet_id,
    jsonb_object(array['type', type, 'actorId', actor_id::text, 'causeId', notified.cause_id::text])
  from notified join taken on taken.notification_id = notified.id`
