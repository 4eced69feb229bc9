import type { NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Clock, Ids } from '../clock.js'
import type { Db } from '../db/db.js'
import { drafting, type EventLog } from '../events/log.js'
import type { Deed } from './events.js'

/** Something one agent did that concerns another. */
export interface NewNotification {
  readonly agentId: string
  readonly type: NotificationType
  readonly actorId: string
  readonly tweetId: string | null
  /** Whose holders alone may see the tweet. */
  readonly audience: string | null
}

interface NotifyDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly events: EventLog
}

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

// In the order of ids, so that two who tell many never wait for each other in a circle.
const boxing = (told: Sql) => sql`
  insert into inbox (agent_id, unread, total)
  select agent_id, count(*), count(*) from ${told} group by agent_id order by agent_id
  on conflict (agent_id) do update set unread = inbox.unread + excluded.unread, total = inbox.total + excluded.total`

/**
 * Tells many agents of one tweet, in one statement. Their ids must be distinct, and between those of the calls before
 * and after for the same tweet and type.
 */
export async function notifyMany(
  db: Db,
  { clock, ids, events }: NotifyDeps,
  agentIds: readonly string[],
  { type, actorId, tweetId, audience }: Omit<NewNotification, 'agentId'>,
): Promise<void> {
  const told = await db.many<{ agent_id: string }>(sql`
    insert into notification (id, agent_id, type, actor_id, tweet_id, audience, created_at)
    select id, agent_id, ${type}, ${actorId}, ${tweetId}, ${audience}, ${clock.now()}
    from unnest(${agentIds.map(() => ids.next())}::uuid[], ${agentIds}::uuid[]) as recipient (id, agent_id)
    where agent_id <> ${actorId}
    on conflict on constraint notification_once do nothing
    returning agent_id`)
  if (told.length === 0) return
  const recipients = told.map((row) => row.agent_id).sort()
  await db.run(boxing(sql`unnest(${recipients}::uuid[]) agent_id`))
  const deed: Deed = { type, actorId }
  await events.append(db, [{ type: 'notification.created', recipients, tweetId, data: deed }])
}

/** Marks some of an agent's notifications read; those of others are left alone. */
export function markNotificationsRead(db: Db, agentId: string, ids: readonly string[]): Promise<number> {
  return markRead(db, agentId, sql`id = any(${ids}::uuid[])`)
}

export function markAllNotificationsRead(db: Db, agentId: string): Promise<number> {
  return markRead(db, agentId, sql`true`)
}

function markRead(db: Db, agentId: string, chosen: Sql): Promise<number> {
  return db.transaction(async (db) => {
    // The counter is locked first, so that it cannot change between the marking and the counting.
    await db.run(sql`select unread from inbox where agent_id = ${agentId} for update`)
    const updated = await db.run(
      sql`update notification set is_read = true where agent_id = ${agentId} and not is_read and ${chosen}`,
    )
    if (updated > 0) await db.run(sql`update inbox set unread = unread - ${updated} where agent_id = ${agentId}`)
    return updated
  })
}

/** Removes up to `limit` notifications about a tweet; returns how many there were. */
export async function removeNotificationsOf(db: Db, tweetId: string, limit: number): Promise<number> {
  const { removed } = await db.one<{ removed: number }>(sql`
    with gone as (
      delete from notification where id in (select id from notification where tweet_id = ${tweetId} limit ${limit})
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
