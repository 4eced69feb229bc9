import type { MutableNotificationType, NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { type Asked, pageOfAsked } from '../../foundation/db/asked.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Prefixed, Row } from '../../foundation/db/row.js'
import {
  type AgentViewer,
  isPrivate,
  isPublic,
  viewerRows,
  visibleTo,
  visibleToAgent,
} from '../../foundation/db/visibility.js'

export type NotificationRow = Row<'notification', 'id' | 'type' | 'is_read' | 'created_at' | 'trade' | 'decision'> &
  Prefixed<'actor_', Nullable<Row<'agent', 'id' | 'username' | 'display_name' | 'avatar_url'>>> &
  Prefixed<'tweet_' | 'repost_', Nullable<Row<'tweet', 'id' | 'content'>>>

export interface NotificationListRequest extends PageRequest {
  readonly unread?: boolean
  readonly type?: NotificationType
}

/** Notifications with their actor and tweets. Leaves out tweets that the agent may no longer see. */
export const notificationFrom = (isVisible: (row: Sql) => Sql) => sql`notification
  left join agent actor on actor.id = notification.actor_id
  left join tweet on tweet.id = notification.tweet_id and ${isVisible(sql`tweet`)}
  left join tweet repost on notification.type = 'REPOST' and repost.id = notification.cause_id
    and ${isVisible(sql`repost`)}`
const columns = sql`notification.id, notification.type, notification.is_read, notification.created_at, notification.trade,
  notification.decision,
  actor.id as actor_id, actor.username as actor_username, actor.display_name as actor_display_name,
  actor.avatar_url as actor_avatar_url, tweet.id as tweet_id, tweet.content as tweet_content,
  repost.id as repost_id, repost.content as repost_content`
export const isShown = sql`((notification.tweet_id is null or tweet.id is not null)
  and (notification.type <> 'REPOST' or notification.cause_id is null or repost.id is not null))`

/** The same as `isShown`, for a statement that cannot join; `viewer` is the agent as a row. */
export const isListed = (viewer: Sql) => sql`(
  (${isPublic(sql`notification`)} or exists (
    select from tweet where ${visibleToAgent(viewer)} and tweet.id =
      case when notification.type = 'REPOST' then coalesce(notification.cause_id, notification.tweet_id)
        else notification.tweet_id end))
  and not exists (
    select from deleted_tweet
    where deleted_tweet.tweet_id = notification.tweet_id or deleted_tweet.tweet_id = notification.cause_id))`

/**
 * The number of notifications that an agent's inbox counts and that are not shown, because their tweet is deleted or the
 * agent may no longer see it. `viewer` is the agent as a row; `condition` chooses the notifications.
 */
export function hiddenCount(viewer: Sql, condition: Sql): Sql {
  // Private ones are few and have an index. Without the `offset`, an empty table could make the planner read the inbox.
  return sql`((
      select count(*)::integer from ${notificationFrom((row) => visibleToAgent(viewer, row))}
      where notification.agent_id = ${viewer}.id and ${condition} and ${isPrivate(sql`notification`)} and not ${isShown}
    ) + (
      select count(distinct gone.id)::integer from deleted_tweet cross join lateral (
        select notification.id from notification
        where notification.agent_id = ${viewer}.id and ${condition} and ${isPublic(sql`notification`)}
          and (notification.tweet_id = deleted_tweet.tweet_id or notification.cause_id = deleted_tweet.tweet_id)
        offset 0) gone))`
}

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
    from: notificationFrom((row) => visibleTo(agent, row)),
    where: [sql`notification.agent_id = ${agent.id}`, isShown, ...conditions(request)],
    order: { by: sql`notification.id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`notification.id`,
    ...(request.type === undefined ? { total: totalOf(agent, request.unread) } : { capped: true as const }),
  }
  return paginate<NotificationRow>(db, list, request)
}

// From the counters, so that it is the number of the first page and of the unread count, however large.
function totalOf(agent: AgentViewer, unread: boolean | undefined): Sql {
  const [counted, condition] =
    unread === undefined
      ? [sql`inbox.total`, sql`true`]
      : unread
        ? [sql`inbox.unread`, sql`not notification.is_read`]
        : [sql`inbox.total - inbox.unread`, sql`notification.is_read`]
  return sql`select coalesce(${counted}, 0) - ${hiddenCount(sql`viewer`, condition)} as total
    from (${viewerRows([agent])}) viewer left join inbox on inbox.agent_id = viewer.id`
}

export const LIST = 'notifications'

export async function getNotification(db: Db, agent: AgentViewer, id: string): Promise<NotificationRow> {
  const row = await db.find<NotificationRow>(sql`
    select ${columns} from ${notificationFrom((row) => visibleTo(agent, row))}
    where notification.id = ${id} and notification.agent_id = ${agent.id} and ${isShown}`)
  if (!row) throw new Problem('NOTIFICATION_NOT_FOUND')
  return row
}

/** Reads notifications of an agent that it names, in one statement. */
export async function listAskedNotifications(db: Db, agent: AgentViewer, asked: Asked): Promise<Page<NotificationRow>> {
  const rows = await db.many<NotificationRow>(sql`
    select ${columns} from ${notificationFrom((row) => visibleTo(agent, row))}
    where notification.id = any(${asked.uuids}::uuid[]) and notification.agent_id = ${agent.id} and ${isShown}`)
  return pageOfAsked(asked, rows, ({ id }) => [id])
}

/** A notification as an event reports it. */
export interface ReportedNotification {
  readonly agentId: string
  readonly type: NotificationType
  readonly actorId: string | null
  readonly tweetId: string | null
  readonly causeId: string | null
}

type ReportedRow = NotificationRow &
  Row<'notification', 'agent_id' | 'cause_id'> & { readonly event_tweet_id: string | null }

/** Finds the notifications that events report, if their recipients may still see them. */
export function findByEvents(db: Db, events: readonly ReportedNotification[]): Promise<ReportedRow[]> {
  const isReported = sql`notification.agent_id = reported.agent_id and notification.type = reported.type`
  // New tweets have an index of their own. Without an actor, only the cause leads to a notification quickly.
  return db.many<ReportedRow>(sql`
    select ${columns}, notification.agent_id, notification.cause_id, notification.tweet_id as event_tweet_id
    from unnest(${events.map(({ agentId }) => agentId)}::uuid[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ actorId }) => actorId)}::uuid[], ${events.map(({ tweetId }) => tweetId)}::uuid[],
      ${events.map(({ causeId }) => causeId)}::uuid[]) as reported (agent_id, type, actor_id, tweet_id, cause_id)
    cross join lateral (
      select * from notification where ${isReported} and notification.actor_id = reported.actor_id
        and notification.type = 'NEW_TWEET' and notification.tweet_id = reported.tweet_id
      union all
      select * from notification where ${isReported} and notification.actor_id = reported.actor_id
        and notification.type <> 'NEW_TWEET' and notification.tweet_id is not distinct from reported.tweet_id
        and notification.cause_id is not distinct from reported.cause_id
      union all
      select * from notification where ${isReported} and notification.cause_id = reported.cause_id
        and notification.actor_id is null and reported.actor_id is null
    ) notification
    join agent recipient on recipient.id = reported.agent_id
    left join agent actor on actor.id = notification.actor_id
    left join tweet on tweet.id = notification.tweet_id and ${visibleToAgent(sql`recipient`)}
    left join tweet repost on notification.type = 'REPOST' and repost.id = notification.cause_id
      and ${visibleToAgent(sql`recipient`, sql`repost`)}
    where ${isShown}`)
}

/** How many unread notifications several agents are shown. */
export async function countUnreadOfMany(db: Db, agents: readonly AgentViewer[]): Promise<number[]> {
  const rows = await db.many<{ readonly unread: number }>(sql`
    select coalesce(inbox.unread, 0) - ${hiddenCount(sql`viewer`, sql`not notification.is_read`)} as unread
    from (${viewerRows(agents)}) viewer left join inbox on inbox.agent_id = viewer.id order by viewer.n`)
  return rows.map(({ unread }) => unread)
}

export async function countUnread(db: Db, agent: AgentViewer): Promise<number> {
  return (await countUnreadOfMany(db, [agent]))[0] ?? 0
}

export async function listMuted(db: Db, agentId: string): Promise<MutableNotificationType[]> {
  const rows = await db.many<Row<'notification_mute', 'type'>>(
    sql`select type from notification_mute where agent_id = ${agentId} order by type`,
  )
  return rows.map(({ type }) => type)
}
