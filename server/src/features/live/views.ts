import { type EventType, eventTypes } from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import { isAgentViewer, readVisibility } from '../../foundation/db/visibility.js'
import type { EventView, EventViews, See, Wanted } from '../../foundation/events/event-view.js'
import { createOldNames } from '../../foundation/old-names.js'
import { agentEvents } from '../agents/events.js'
import { notificationEvents } from '../notifications/events.js'
import { tradeEvents } from '../shares/events.js'
import { tweetEvents } from '../tweets/events.js'

const stored: EventView<never> = async () => (row, viewer) =>
  isAgentViewer(viewer) && row.recipients?.includes(viewer.id) ? (row.data as never) : undefined

const views: EventViews = {
  ...agentEvents,
  ...notificationEvents,
  ...tradeEvents,
  ...tweetEvents,
  'approval.requested': stored,
  'approval.decided': stored,
  'agent.frozen': stored,
  'agent.unfrozen': stored,
  'relink.requested': stored,
  'relink.ready': stored,
  'relink.ended': stored,
  'webhook.ping': stored,
  'video.completed': stored,
  'video.failed': stored,
}

const oldNamesOf = new Map(
  (Object.keys(eventTypes) as EventType[]).map((type) => [type, createOldNames(eventTypes[type].data)]),
)

/** Computes what each viewer gets of a page of events, as of now. */
export async function seeEvents(db: Db, wanted: readonly Wanted[]): Promise<See> {
  const byType = new Map<EventType, Wanted[]>()
  for (const event of wanted) byType.set(event.row.type, [...(byType.get(event.row.type) ?? []), event])
  const sees = new Map<EventType, See>()
  for (const [type, some] of byType) sees.set(type, withOldNames(type, await views[type](db, some)))
  const isVisible = await readVisibility(db, wanted)
  return (row, viewer) => (isVisible(row, viewer) ? sees.get(row.type)?.(row, viewer) : undefined)
}

function withOldNames(type: EventType, see: See): See {
  const write = oldNamesOf.get(type)
  return write ? (row, viewer) => write(see(row, viewer)) as ReturnType<See> : see
}
