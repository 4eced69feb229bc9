import type { NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Prefixed, Row } from '../../foundation/db/row.js'
import { type AgentViewer, visibleTo, visibleToAgent } from '../../foundation/db/visibility.js'

export type NotificationRow = Row<'notification', 'id' | 'type' | 'is_read' | 'created_at'> &
  Prefixed<'actor_', Row<'agent', 'id' | 'username' | 'display_name' | 'avatar_url'>> &
  Prefixed<'tweet_', Nullable<Row<'tweet', 'id' | 'content'>>>

export interface NotificationListRequest extends PageRequest {
  readonly unread?: boolean
  readonly type?: NotificationType
}

// Leaves out a tweet that the agent may no longer see. A deleted tweet has no notifications.
export const notificationFrom = (isVisible: Sql) => sql`notification
  join agent actor on actor.id = notification.actor_id
  left join tweet on tweet.id = notification.tweet_id and ${isVisible}`
const columns = sql`notification.id, notification.type, notification.is_read, notification.created_at,
  actor.id as actor_id, actor.username as actor_username, actor.display_name as actor_display_name,
  actor.avatar_url as actor_avatar_url, tweet.id as tweet_id, tweet.content as tweet_content`
export const isShown = sql`(notification.tweet_id is null or tweet.id is not null)`

function conditions({ unread, type }: Pick<NotificationListRequest, 'unread' | 'type'>): Sql[] {
  return [
    ...(unread === undefined ? [] : [unread ? sql`not notification.is_read` : sql`notification.is_read`]),
    ...(type === undefined ? [] : [sql`notification.type = ${type}`]),
  ]
}

export function listNotifications(
  db: Db,
  agent: AgentViewer,
  request: NotificationListRequest,
): Promise<Page<NotificationRow>> {
  const list = {
    name: LIST,
    columns,
    from: notificationFrom(visibleTo(agent)),
    where: [sql`notification.agent_id = ${agent.id}`, isShown, ...conditions(request)],
    order: { by: sql`notification.id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`notification.id`,
    capped: true as const,
  }
  return paginate<NotificationRow>(db, list, request)
}

export const LIST = 'notifications'

export async function getNotification(db: Db, agent: AgentViewer, id: string): Promise<NotificationRow> {
  const row = await db.find<NotificationRow>(sql`
    select ${columns} from ${notificationFrom(visibleTo(agent))}
    where notification.id = ${id} and notification.agent_id = ${agent.id} and ${isShown}`)
  if (!row) throw new Problem('NOTIFICATION_NOT_FOUND')
  return row
}

/** Finds the notifications that events report, if their recipients may still see them. */
export function findByEvents(
  db: Db,
  events: readonly { agentId: string; type: NotificationType; actorId: string; tweetId: string | null }[],
): Promise<(NotificationRow & { agent_id: string; event_tweet_id: string | null })[]> {
  return db.many(sql`
    select ${columns}, notification.agent_id, notification.tweet_id as event_tweet_id
    from unnest(${events.map(({ agentId }) => agentId)}::uuid[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ actorId }) => actorId)}::uuid[], ${events.map(({ tweetId }) => tweetId)}::uuid[])
      as reported (agent_id, type, actor_id, tweet_id)
    join notification on notification.agent_id = reported.agent_id and notification.type = reported.type
      and notification.actor_id = reported.actor_id and notification.tweet_id is not distinct from reported.tweet_id
    join agent recipient on recipient.id = reported.agent_id
    join agent actor on actor.id = notification.actor_id
    left join tweet on tweet.id = notification.tweet_id and ${visibleToAgent(sql`recipient`)}
    where ${isShown}`)
}

/** The unread notifications of several agents, from their counters. */
export async function countUnreadOfMany(db: Db, agentIds: readonly string[]): Promise<number[]> {
  const rows = await db.many<Row<'inbox', 'agent_id' | 'unread'>>(
    sql`select agent_id, unread from inbox where agent_id = any(${literal(agentIds)}::uuid[])`,
  )
  const unread = new Map(rows.map((row) => [row.agent_id, row.unread]))
  return agentIds.map((id) => unread.get(id) ?? 0)
}

export async function countUnread(db: Db, agentId: string): Promise<number> {
  return (await countUnreadOfMany(db, [agentId]))[0] ?? 0
}
