import type { NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Prefixed, Row } from '../../foundation/db/row.js'
import { type Viewer, visibleTo, visibleToAgent } from '../../foundation/db/visibility.js'

export type NotificationRow = Row<'notification', 'id' | 'type' | 'is_read' | 'created_at'> &
  Prefixed<'actor_', Row<'agent', 'id' | 'username' | 'display_name' | 'avatar_url'>> &
  Prefixed<'tweet_', Nullable<Row<'tweet', 'id' | 'content'>>>

/** What a list of notifications is narrowed by. */
export interface NotificationListRequest extends PageRequest {
  readonly unread?: boolean
  readonly type?: NotificationType
}

// A tweet that the agent may not see any more is left out; one that was deleted takes its notifications along.
export const fromWhere = (isVisible: Sql) => sql`notification
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
  agent: Viewer,
  request: NotificationListRequest,
): Promise<Page<NotificationRow>> {
  const list = {
    name: LIST,
    columns,
    from: fromWhere(visibleTo(agent)),
    where: [sql`notification.agent_id = ${agent.id}`, isShown, ...conditions(request)],
    order: { by: sql`notification.id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`notification.id`,
    capped: true as const,
  }
  return paginate<NotificationRow>(db, list, request)
}

export const LIST = 'notifications'

export async function getNotification(db: Db, agent: Viewer, id: string): Promise<NotificationRow> {
  const row = await db.find<NotificationRow>(sql`
    select ${columns} from ${fromWhere(visibleTo(agent))}
    where notification.id = ${id} and notification.agent_id = ${agent.id} and ${isShown}`)
  if (!row) throw new Problem('NOTIFICATION_NOT_FOUND')
  return row
}

/** Notifications of one deed each, as far as those they are for may see them. */
export function findDeeds(
  db: Db,
  asked: readonly { agentId: string; type: NotificationType; actorId: string; tweetId: string | null }[],
): Promise<(NotificationRow & { agent_id: string; asked_tweet_id: string | null })[]> {
  return db.many(sql`
    select ${columns}, notification.agent_id, notification.tweet_id as asked_tweet_id
    from unnest(${asked.map((it) => it.agentId)}::uuid[], ${asked.map((it) => it.type)}::text[],
      ${asked.map((it) => it.actorId)}::uuid[], ${asked.map((it) => it.tweetId)}::uuid[])
      as asked (agent_id, type, actor_id, tweet_id)
    join notification on notification.agent_id = asked.agent_id and notification.type = asked.type
      and notification.actor_id = asked.actor_id and notification.tweet_id is not distinct from asked.tweet_id
    join agent recipient on recipient.id = asked.agent_id
    join agent actor on actor.id = notification.actor_id
    left join tweet on tweet.id = notification.tweet_id and ${visibleToAgent(sql`recipient`)}
    where ${isShown}`)
}

/** How many notifications agents have not read, without counting them. */
export async function countUnreadOfMany(db: Db, agentIds: readonly string[]): Promise<number[]> {
  const rows = await db.many<Row<'inbox', 'agent_id' | 'unread'>>(
    sql`select agent_id, unread from inbox where agent_id = any(${literal(agentIds)}::uuid[])`,
  )
  const unread = new Map(rows.map((row) => [row.agent_id, row.unread]))
  return agentIds.map((id) => unread.get(id) ?? 0)
}

/** The same for one agent. */
export async function countUnread(db: Db, agentId: string): Promise<number> {
  return (await countUnreadOfMany(db, [agentId]))[0] ?? 0
}
