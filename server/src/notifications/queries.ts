import type { NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { type Page, type PageRequest, paginate } from '../db/paginate.js'
import { type Viewer, visibleTo } from '../db/visibility.js'
import { Problem } from '../problem.js'

export interface NotificationRow {
  id: string
  type: NotificationType
  is_read: boolean
  created_at: Date
  actor_id: string
  actor_username: string
  actor_display_name: string
  actor_avatar_url: string | null
  tweet_id: string | null
  tweet_content: string | null
}

/** What a list of notifications is narrowed by. */
export interface NotificationListRequest extends PageRequest {
  readonly unread?: boolean
  readonly type?: NotificationType
}

// A tweet that the agent may not see any more is left out; one that was deleted takes its notifications along.
const from = (agent: Viewer) => sql`notification
  join agent actor on actor.id = notification.actor_id
  left join tweet on tweet.id = notification.tweet_id and ${visibleTo(agent)}`
const columns = sql`notification.id, notification.type, notification.is_read, notification.created_at,
  actor.id as actor_id, actor.username as actor_username, actor.display_name as actor_display_name,
  actor.avatar_url as actor_avatar_url, tweet.id as tweet_id, tweet.content as tweet_content`
const isShown = sql`(notification.tweet_id is null or tweet.id is not null)`

export function listNotifications(
  db: Db,
  agent: Viewer,
  request: NotificationListRequest,
): Promise<Page<NotificationRow>> {
  const where: Sql[] = [sql`notification.agent_id = ${agent.id}`, isShown]
  if (request.unread !== undefined)
    where.push(request.unread ? sql`not notification.is_read` : sql`notification.is_read`)
  if (request.type !== undefined) where.push(sql`notification.type = ${request.type}`)
  const list = {
    name: 'notifications',
    columns,
    from: from(agent),
    where,
    order: { by: sql`notification.id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`notification.id`,
    capped: true as const,
  }
  return paginate<NotificationRow>(db, list, request)
}

export async function getNotification(db: Db, agent: Viewer, id: string): Promise<NotificationRow> {
  const row = await db.find<NotificationRow>(sql`
    select ${columns} from ${from(agent)}
    where notification.id = ${id} and notification.agent_id = ${agent.id} and ${isShown}`)
  if (!row) throw new Problem('NOTIFICATION_NOT_FOUND')
  return row
}

/** How many notifications an agent has not read, without counting them. */
export async function countUnread(db: Db, agentId: string): Promise<number> {
  const row = await db.find<{ unread: number }>(sql`select unread from inbox where agent_id = ${agentId}`)
  return row?.unread ?? 0
}
