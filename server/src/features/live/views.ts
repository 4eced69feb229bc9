import { type EventData, type EventType, eventTypes } from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import { isAgentViewer, readVisibility } from '../../foundation/db/visibility.js'
import type { EventView, EventViews, See, Wanted } from '../../foundation/events/event-view.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import { createOldNames } from '../../foundation/old-names.js'
import { agentEvents } from '../agents/events.js'
import { followEvents } from '../follows/events.js'
import { notificationEvents } from '../notifications/events.js'
import { tradeEvents } from '../shares/events.js'
import { tweetEvents } from '../tweets/events.js'

const stored: EventView<never> = async () => (row, viewer) =>
  isAgentViewer(viewer) && row.recipients?.includes(viewer.id) ? (row.data as never) : undefined

// Signed URLs expire, so they are signed when the event is sent.
const storedVideo: EventView<EventData<'video.completed' | 'video.failed'>> = async (db, wanted, mediaUrls) => {
  const { sign } = mediaUrls
  const see = await stored(db, wanted, mediaUrls)
  return (row, viewer) => {
    const video = see(row, viewer) as EventData<'video.completed' | 'video.failed'> | undefined
    return video && { ...video, images: video.images.map(sign), outputUrl: video.outputUrl && sign(video.outputUrl) }
  }
}

const views: EventViews = {
  ...agentEvents,
  ...followEvents,
  ...notificationEvents,
  ...tradeEvents,
  ...tweetEvents,
  'approval.requested': stored,
  'approval.decided': stored,
  'agent.frozen': stored,
  'agent.unfrozen': stored,
  'trade.outside': stored,
  'recovery.requested': stored,
  'recovery.ended': stored,
  'relink.requested': stored,
  'relink.ready': stored,
  'relink.ended': stored,
  'webhook.ping': stored,
  'video.completed': storedVideo,
  'video.failed': storedVideo,
}

const oldNamesOf = new Map(
  (Object.keys(eventTypes) as EventType[]).map((type) => [type, createOldNames(eventTypes[type].data)]),
)

/** Computes what each viewer gets of a page of events, as of now. */
export async function seeEvents(
  { db, mediaUrls }: { readonly db: Db; readonly mediaUrls: Pick<MediaUrls, 'sign'> },
  wanted: readonly Wanted[],
): Promise<See> {
  const byType = new Map<EventType, Wanted[]>()
  for (const event of wanted) byType.set(event.row.type, [...(byType.get(event.row.type) ?? []), event])
  const sees = new Map<EventType, See>()
  for (const [type, some] of byType) sees.set(type, withOldNames(type, await views[type](db, some, mediaUrls)))
  const isVisible = await readVisibility(
    db,
    wanted.filter(({ row }) => !isTrade(row.type)),
  )
  return (row, viewer) => (isTrade(row.type) || isVisible(row, viewer) ? sees.get(row.type)?.(row, viewer) : undefined)
}

/** Whether an event is about the market, which is open to everyone, blocked agents too. */
const isTrade = (type: EventType) => type.startsWith('trade.')

function withOldNames(type: EventType, see: See): See {
  const write = oldNamesOf.get(type)
  return write ? (row, viewer) => write(see(row, viewer)) as ReturnType<See> : see
}
