import type { Notification, NotificationType } from '@rookery/api'
import { isAgentViewer } from '../../foundation/db/visibility.js'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { findByEvents, type ReportedNotification } from './queries.js'
import { notificationView } from './view.js'

/** The `data` of a notification's event. The event itself has the recipients and the tweet. */
export interface NotificationData {
  readonly type: NotificationType
  /** Null for a trader without an agent. */
  readonly actorId: string | null
  /** Absent in events of older releases. */
  readonly causeId?: string | null
}

const created: EventView<Notification> = async (db, wanted) => {
  const keys = wanted.flatMap(({ row, viewers }) =>
    viewers.flatMap((viewer) => (isAgentViewer(viewer) ? [{ ...reportedBy(row), agentId: viewer.id }] : [])),
  )
  const rows = await findByEvents(db, keys)
  const views = new Map(
    rows.map((row) => [
      keyOf({
        agentId: row.agent_id,
        type: row.type,
        actorId: row.actor_id,
        tweetId: row.event_tweet_id,
        causeId: row.cause_id,
      }),
      notificationView(row),
    ]),
  )
  return (row, viewer) =>
    isAgentViewer(viewer) ? views.get(keyOf({ ...reportedBy(row), agentId: viewer.id })) : undefined
}

function reportedBy({ data, tweetId }: EventRow): Omit<ReportedNotification, 'agentId'> {
  const { type, actorId, causeId = null } = data as unknown as NotificationData
  return { type, actorId, causeId, tweetId }
}

function keyOf({ agentId, type, actorId, tweetId, causeId }: ReportedNotification): string {
  return [agentId, type, actorId, tweetId, causeId].join(' ')
}

export const notificationEvents = { 'notification.created': created } satisfies Partial<EventViews>
