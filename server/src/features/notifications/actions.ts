import type { NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import { type AgentViewer, isHidden } from '../../foundation/db/visibility.js'
import { eventDraftInsert } from '../../foundation/events/log.js'
import { isListed } from './queries.js'

/** Columns that only some types of notifications have, as expressions over the columns of an action. */
interface CauseColumns {
  /** Distinguishes it from others of the same type, actor and tweet, which would otherwise count as repeats. */
  readonly causeId?: Sql
  /** The trade as it is shown. */
  readonly trade?: Sql
  /** The moderator's decision as it is shown. */
  readonly decision?: Sql
}

/**
 * Parts of a `with` that notify agents. `actions` is a query for agent_id (the recipient), type, actor_id, tweet_id,
 * audience and notification_id.
 */
export function notificationInsert(
  actions: Sql,
  at: Date,
  { causeId = sql`null::uuid`, trade = sql`null::jsonb`, decision = sql`null::jsonb` }: CauseColumns = {},
): Sql {
  const rows = sql`
    select action.*, ${causeId} as caused_by, ${trade} as traded, ${decision} as decided, ${at}::timestamptz as at from (${actions}) action`
  return sql`
    ${notifiedParts(rows)},
    notification_events as (
      ${eventDraftInsert(
        'notification.created',
        at,
        {
          recipientId: sql`agent_id`,
          tweetId: sql`tweet_id`,
          data: sql`jsonb_build_object('type', type, 'actorId', actor_id, 'causeId', cause_id)`,
        },
        sql`notified`,
      )})`
}

/**
 * Parts of a `with` that write notifications and count them. `actions` has `at`, `caused_by`, `traded` and `decided` besides.
 * Skips self-notifications, muted types and hidden agents; the unique constraint drops repeats.
 */
export function notifiedParts(actions: Sql): Sql {
  return sql`
    notified as (
      insert into notification (id, agent_id, type, actor_id, tweet_id, audience, cause_id, trade, decision, created_at)
      select notification_id, agent_id, type, actor_id, tweet_id, audience, caused_by, traded, decided, at
      from (${actions}) action
      where agent_id is distinct from actor_id and not ${isMuted(sql`action.agent_id`, sql`action.type`)}
        and not ${isUnwanted(sql`action`)}
      on conflict do nothing
      returning id, agent_id, type, actor_id, tweet_id, cause_id, created_at),
    inbox_counted as (${inboxIncrease(sql`notified`)})`
}

/** What one agent notifies another of. Notifications of trades concern the agent's own shares, whoever trades them. */
const BETWEEN_AGENTS = ['FOLLOW', 'LIKE', 'REPLY', 'REPOST', 'MENTION', 'NEW_TWEET'] satisfies NotificationType[]

/** Whether a notification, a row with agent_id, actor_id and type, comes from an agent that is hidden from its recipient. */
export const isUnwanted = (row: Sql) =>
  sql`(${row}.type = any(${BETWEEN_AGENTS}::text[]) and ${isHidden(sql`${row}.agent_id`, sql`${row}.actor_id`)})`

/** Removes what one agent notified another of. */
export function removeNotificationsBetween(db: Db, agentId: string, actorId: string): Promise<number> {
  return removeNotifications(
    db,
    sql`select agent_id, id from notification
      where agent_id = ${agentId} and type = any(${BETWEEN_AGENTS}::text[]) and actor_id = ${actorId}`,
  )
}

/** Whether an agent has muted a type. */
export const isMuted = (agentId: Sql, type: Sql) =>
  sql`exists (select from notification_mute mute where mute.agent_id = ${agentId} and mute.type = ${type})`

/** Counts new notifications, the rows of `notified`. Ordered by agent, so that parallel statements cannot deadlock. */
export const inboxIncrease = (notified: Sql) => sql`
  insert into inbox (agent_id, unread, total)
  select agent_id, count(*), count(*) from ${notified} group by agent_id order by agent_id
  on conflict (agent_id) do update set unread = inbox.unread + excluded.unread, total = inbox.total + excluded.total,
    version = inbox.version + 1`

/** The notifications that an agent marks as read; all of them if there are no ids. */
export interface ReadRequest {
  readonly agent: AgentViewer
  readonly ids?: readonly string[]
}

/**
 * Marks notifications as read; ids of other agents' notifications are ignored. So are notifications that are not listed:
 * an agent that may see a tweet again finds them unread. Returns how many were unread, per request.
 */
export async function markRead(db: Db, requests: readonly ReadRequest[]): Promise<number[]> {
  const rows = requests.map(({ agent, ids }) => ({
    id: agent.id,
    subject: agent.subject,
    wallet_address: agent.walletAddress,
    ids: ids ?? null,
  }))
  // Locks the counters first, so that they cannot change between the update and the count.
  const marked = await db.many<{ marked: number }>(sql`
    with request as (${requestRows(rows, sql`id uuid, subject text, wallet_address text, ids uuid[]`)}),
    locked as (
      select agent_id from inbox where agent_id in (select id from request) order by agent_id for update),
    marked as (
      update notification set is_read = true from request join locked on locked.agent_id = request.id
      where notification.agent_id = request.id and not is_read and (ids is null or notification.id = any(ids))
        and ${isListed(sql`request`)}
      returning notification.agent_id),
    counts as (select agent_id, count(*)::integer as marked from marked group by agent_id),
    counted as (
      update inbox set unread = inbox.unread - counts.marked, version = inbox.version + 1
      from counts where inbox.agent_id = counts.agent_id)
    select coalesce(counts.marked, 0) as marked from request left join counts on counts.agent_id = request.id order by n`)
  return marked.map((row) => row.marked)
}

/** Removes at most `limit` notifications about a tweet; returns how many it removed. */
export function removeNotificationsOf(db: Db, tweetId: string, limit: number): Promise<number> {
  return removeNotifications(
    db,
    sql`select agent_id, id from notification where tweet_id = ${tweetId} or cause_id = ${tweetId} limit ${limit}`,
  )
}

/** Removes notifications: `doomed` is a query for their agent_id and id. Returns how many it removed. */
export async function removeNotifications(db: Db, doomed: Sql): Promise<number> {
  // Locks the counters before the notifications, as `markRead` does, so that the two cannot deadlock.
  const { removed } = await db.one<{ removed: number }>(sql`
    with doomed as materialized (${doomed}),
    locked as (
      select agent_id from inbox where agent_id in (select agent_id from doomed) order by agent_id for update),
    gone as (
      delete from notification using doomed
      where notification.agent_id = doomed.agent_id and notification.id = doomed.id
        and (select count(*) from locked) >= 0
      returning notification.agent_id, notification.is_read),
    less as (
      select agent_id, count(*)::int as total, count(*) filter (where not is_read)::int as unread from gone group by agent_id),
    counted as (
      update inbox set unread = inbox.unread - less.unread, total = inbox.total - less.total, version = inbox.version + 1
      from less where inbox.agent_id = less.agent_id)
    select count(*)::int as removed from gone`)
  return removed
}

/**
 * Hides and stops counting the notifications about a deleted tweet, on every instance. For tweets with so many of them
 * that a background job removes them, until `forgetDeleted`.
 */
export async function hideNotificationsOf(db: Db, tweetId: string): Promise<void> {
  await db.run(sql`insert into deleted_tweet (tweet_id) values (${tweetId}) on conflict do nothing`)
  await invalidatePages(db)
}

/** Call in the transaction that removes the last notifications of a deleted tweet. */
export async function forgetDeleted(db: Db, tweetId: string): Promise<void> {
  await db.run(sql`delete from deleted_tweet where tweet_id = ${tweetId}`)
}

/** Invalidates all cached pages of notifications, on every instance. */
export async function invalidatePages(db: Db): Promise<void> {
  await db.run(sql`update shown_version set value = value + 1`)
}
