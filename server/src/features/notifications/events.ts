import type { Notification, NotificationType } from '@rookery/api'
import { isAgentViewer } from '../../foundation/db/visibility.js'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { findByEvents } from './queries.js'
import { notificationView } from './view.js'

/** The `data` of a notification's event. The event itself has the recipients and the tweet. */
export interface NotificationData {
  readonly type: NotificationType
  readonly actorId: string
}

const created: EventView<Notification> = async (db, wanted) => {
  const keys = wanted.flatMap(({ row, viewers }) => {
    const data = row.data as unknown as NotificationData
    return viewers.flatMap((viewer) =>
      isAgentViewer(viewer) ? [{ ...data, agentId: viewer.id, tweetId: row.tweetId }] : [],
    )
  })
  const rows = await findByEvents(db, keys)
  const views = new Map(rows.map((row) => [keyOf(row.agent_id, row, row.event_tweet_id), notificationView(row)]))
  return (row, viewer) => (isAgentViewer(viewer) ? views.get(eventKey(viewer.id, row)) : undefined)
}

function eventKey(agentId: string, { data, tweetId }: EventRow): string {
  const { type, actorId } = data as unknown as NotificationData
  return keyOf(agentId, { type, actor_id: actorId }, tweetId)
}

function keyOf(agentId: string, data: { type: string; actor_id: string }, tweetId: string | null): string {
  return [agentId, data.type, data.actor_id, tweetId].join(' ')
}

export const notificationEvents = { 'notification.created': created } satisfies Partial<EventViews>
