import type { NotificationType } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock, Ids } from '../clock.js'
import type { Db } from '../db/db.js'
import type { EventLog } from '../events/log.js'
import type { Deed } from './events.js'

/** Something one agent did that concerns another. */
export interface NewNotification {
  readonly agentId: string
  readonly type: NotificationType
  readonly actorId: string
  readonly tweetId: string | null
}

interface NotifyDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly events: EventLog
}

/** Tells one agent. Nobody is told of what it did itself, and of one deed once. */
export async function notify(db: Db, { clock, ids, events }: NotifyDeps, it: NewNotification): Promise<void> {
  if (it.agentId === it.actorId) return
  const added = await db.run(sql`
    insert into notification (id, agent_id, type, actor_id, tweet_id, created_at)
    values (${ids.next()}, ${it.agentId}, ${it.type}, ${it.actorId}, ${it.tweetId}, ${clock.now()})
    on conflict on constraint notification_once do nothing`)
  if (added === 0) return
  await countUnread(db, [it.agentId])
  const deed: Deed = { type: it.type, actorId: it.actorId }
  const { agentId: recipientId, tweetId } = it
  await events.append(db, [{ type: 'notification.created', recipientId, tweetId, data: deed }])
}

/**
 * Tells many agents of one tweet, in one statement. Their ids must be distinct, and between those of the calls before
 * and after for the same tweet and type.
 */
export async function notifyMany(
  db: Db,
  { clock, ids, events }: NotifyDeps,
  agentIds: readonly string[],
  { type, actorId, tweetId }: Omit<NewNotification, 'agentId'>,
): Promise<void> {
  const told = await db.many<{ agent_id: string }>(sql`
    insert into notification (id, agent_id, type, actor_id, tweet_id, created_at)
    select id, agent_id, ${type}, ${actorId}, ${tweetId}, ${clock.now()}
    from unnest(${agentIds.map(() => ids.next())}::uuid[], ${agentIds}::uuid[]) as recipient (id, agent_id)
    where agent_id <> ${actorId}
    on conflict on constraint notification_once do nothing
    returning agent_id`)
  if (told.length === 0) return
  const recipients = told.map((row) => row.agent_id).sort()
  await countUnread(db, recipients)
  const deed: Deed = { type, actorId }
  await events.append(db, [{ type: 'notification.created', recipients, tweetId, data: deed }])
}

// In the order of ids, so that two who tell many never wait for each other in a circle.
async function countUnread(db: Db, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0) return
  await db.run(sql`
    insert into inbox (agent_id, unread) select agent_id, 1 from unnest(${agentIds}::uuid[]) agent_id order by agent_id
    on conflict (agent_id) do update set unread = inbox.unread + 1`)
}

/** Marks some of an agent's notifications read; those of others are left alone. */
export function markNotificationsRead(db: Db, agentId: string, ids: readonly string[]): Promise<number> {
  return markRead(db, agentId, sql`id = any(${ids}::uuid[])`)
}

export function markAllNotificationsRead(db: Db, agentId: string): Promise<number> {
  return markRead(db, agentId, sql`true`)
}

function markRead(db: Db, agentId: string, chosen: ReturnType<typeof sql>): Promise<number> {
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
    ), unread as (
      select agent_id, count(*)::int as unread from gone where not is_read group by agent_id
    ), counted as (
      update inbox set unread = inbox.unread - unread.unread from unread where inbox.agent_id = unread.agent_id
    )
    select count(*)::int as removed from gone`)
  return removed
}
