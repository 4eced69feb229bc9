import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { askRows } from '../../foundation/db/literal.js'
import { drafting } from '../../foundation/events/log.js'

/**
 * Parts of a `with` that tell agents of deeds. `deeds` is a query for agent_id (who is told), type, actor_id, tweet_id,
 * audience and notification_id. Skips self-notifications; the unique constraint drops repeats.
 */
export function telling(deeds: Sql, at: Date): Sql {
  return sql`
    told as (
      insert into notification (id, agent_id, type, actor_id, tweet_id, audience, created_at)
      select notification_id, agent_id, type, actor_id, tweet_id, audience, ${at}::timestamptz
      from (${deeds}) deed where agent_id <> actor_id
      on conflict on constraint notification_once do nothing
      returning agent_id, type, actor_id, tweet_id),
    boxed as (${boxing(sql`told`)}),
    told_events as (
      ${drafting(
        'notification.created',
        at,
        {
          recipientId: sql`agent_id`,
          tweetId: sql`tweet_id`,
          data: sql`jsonb_build_object('type', type, 'actorId', actor_id)`,
        },
        sql`told`,
      )})`
}

/** A statement that counts new notifications, the rows of `told`. In the order of ids, so that nobody waits in a circle. */
export const boxing = (told: Sql) => sql`
  insert into inbox (agent_id, unread, total)
  select agent_id, count(*), count(*) from ${told} group by agent_id order by agent_id
  on conflict (agent_id) do update set unread = inbox.unread + excluded.unread, total = inbox.total + excluded.total`

/** Which of an agent's notifications are read; all of them unless some are named. */
export interface ReadAsk {
  readonly agent: { readonly id: string }
  readonly ids?: readonly string[]
}

/** Marks notifications read; those of others are left alone. Returns how many were unread, for each agent. */
export async function markRead(db: Db, asks: readonly ReadAsk[]): Promise<number[]> {
  const rows = asks.map(({ agent, ids }) => ({ agent_id: agent.id, ids: ids ?? null }))
  // The counters are locked first, so that they cannot change between the marking and the counting.
  const marked = await db.many<{ marked: number }>(sql`
    with ask as (${askRows(rows, sql`agent_id uuid, ids uuid[]`)}),
    locked as (
      select agent_id from inbox where agent_id in (select agent_id from ask) order by agent_id for update),
    marked as (
      update notification set is_read = true from ask join locked using (agent_id)
      where notification.agent_id = ask.agent_id and not is_read and (ids is null or notification.id = any(ids))
      returning notification.agent_id),
    counts as (select agent_id, count(*)::integer as marked from marked group by agent_id),
    counted as (
      update inbox set unread = inbox.unread - counts.marked from counts where inbox.agent_id = counts.agent_id)
    select coalesce(counts.marked, 0) as marked from ask left join counts using (agent_id) order by n`)
  return marked.map((row) => row.marked)
}

/** Removes up to `limit` notifications about a tweet; returns how many there were. */
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

/** Tells those who keep pages that something else on them has changed. */
export async function changeShown(db: Db): Promise<void> {
  await db.run(sql`update shown_version set value = value + 1`)
}
