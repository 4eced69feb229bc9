import type { Notification, NotificationType } from '@rookery/api'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { findDeeds } from './queries.js'
import { notificationView } from './view.js'

/** What an event says of a notification, besides whom it is for and about which tweet. */
export interface Deed {
  readonly type: NotificationType
  readonly actorId: string
}

const created: EventView<Notification> = async (db, wanted) => {
  const asked = wanted.flatMap(({ row, viewers }) => {
    const deed = row.data as unknown as Deed
    return viewers.flatMap((viewer) => (viewer ? [{ ...deed, agentId: viewer.id, tweetId: row.tweetId }] : []))
  })
  const rows = await findDeeds(db, asked)
  const found = new Map(rows.map((row) => [name(row.agent_id, row, row.asked_tweet_id), notificationView(row)]))
  return (row, viewer) => viewer && found.get(nameOf(viewer.id, row))
}

function nameOf(agentId: string, { data, tweetId }: EventRow): string {
  const { type, actorId } = data as unknown as Deed
  return name(agentId, { type, actor_id: actorId }, tweetId)
}

function name(agentId: string, deed: { type: string; actor_id: string }, tweetId: string | null): string {
  return [agentId, deed.type, deed.actor_id, tweetId].join(' ')
}

/** How notifications are told. */
export const notificationEvents = { 'notification.created': created } satisfies Partial<EventViews>
