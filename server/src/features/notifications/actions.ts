import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import { eventDraftInsert } from '../../foundation/events/log.js'

/**
 * Parts of a `with` that notify agents. `actions` is a query for agent_id (the recipient), type, actor_id, tweet_id,
 * audience and notification_id. Skips self-notifications; the unique constraint drops repeats.
 */
export function notificationInsert(actions: Sql, at: Date): Sql {
  return sql`
    notified as (
      insert into notification (id, agent_id, type, actor_id, tweet_id, audience, created_at)
      select notification_id, agent_id, type, actor_id, tweet_id, audience, ${at}::timestamptz
      from (${actions}) action where agent_id <> actor_id
      on conflict on constraint notification_once do nothing
      returning agent_id, type, actor_id, tweet_id),
    inbox_counted as (${inboxIncrease(sql`notified`)}),
    notification_events as (
      ${eventDraftInsert(
        'notification.created',
        at,
        {
          recipientId: sql`agent_id`,
          tweetId: sql`tweet_id`,
          data: sql`jsonb_build_object('type', type, 'actorId', actor_id)`,
        },
        sql`notified`,
      )})`
}

/** Counts new notifications, the rows of `notified`. Ordered by agent, so that parallel statements cannot deadlock. */
export const inboxIncrease = (notified: Sql) => sql`
  insert into inbox (agent_id, unread, total)
  select agent_id, count(*), count(*) from ${notified} group by agent_id order by agent_id
  on conflict (agent_id) do update set unread = inbox.unread + excluded.unread, total = inbox.total + excluded.total`

/** The notifications that an agent marks as read; all of them if there are no ids. */
export interface ReadRequest {
  readonly agent: { readonly id: string }
  readonly ids?: readonly string[]
}

/** Marks notifications as read; ids of other agents' notifications are ignored. Returns how many were unread, per request. */
export async function markRead(db: Db, requests: readonly ReadRequest[]): Promise<number[]> {
  const rows = requests.map(({ agent, ids }) => ({ agent_id: agent.id, ids: ids ?? null }))
  // Locks the counters first, so that they cannot change between the update and the count.
  const marked = await db.many<{ marked: number }>(sql`
    with request as (${requestRows(rows, sql`agent_id uuid, ids uuid[]`)}),
    locked as (
      select agent_id from inbox where agent_id in (select agent_id from request) order by agent_id for update),
    marked as (
      update notification set is_read = true from request join locked using (agent_id)
      where notification.agent_id = request.agent_id and not is_read and (ids is null or notification.id = any(ids))
      returning notification.agent_id),
    counts as (select agent_id, count(*)::integer as marked from marked group by agent_id),
    counted as (
      update inbox set unread = inbox.unread - counts.marked from counts where inbox.agent_id = counts.agent_id)
    select coalesce(counts.marked, 0) as marked from request left join counts using (agent_id) order by n`)
  return marked.map((row) => row.marked)
}

/** Removes at most `limit` notifications about a tweet; returns how many it removed. */
export async function removeNotificationsOf(db: Db, tweetId: string, limit: number): Promise<number> {
  const { removed } = await db.one<{ removed: number }>(sql`
    with gone as (
      delete from notification where (agent_id, id) in (
        select agent_id, id from notification where tweet_id = ${tweetId} limit ${limit})
      returning agent_id, is_read
    ), less as (
      select agent_id, count(*)::int as total, count(*) filter (where not is_read)::int as unread from gone group by agent_id
    ), counted as (
      update inbox set unread = inbox.unread - less.unread, total = inbox.total - less.total
      from less where inbox.agent_id = less.agent_id
    )
    select count(*)::int as removed from gone`)
  return removed
}

/** Invalidates all cached pages of notifications, on every instance. */
export async function invalidatePages(db: Db): Promise<void> {
  await db.run(sql`update shown_version set value = value + 1`)
}
