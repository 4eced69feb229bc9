import type { EventData, EventType } from '@rookery/api'
import { agentEvents } from '../agents/events.js'
import type { Db } from '../db/db.js'
import { type Viewer, withHoldings } from '../db/visibility.js'
import { notificationEvents } from '../notifications/events.js'
import { tradeEvents } from '../shares/events.js'
import { tweetEvents } from '../tweets/events.js'
import type { EventRow } from './rows.js'

/** An event, and those who would get it. */
export interface Wanted {
  readonly row: EventRow
  /** undefined stands for readers without a key. */
  readonly viewers: readonly (Viewer | undefined)[]
}

/** What a viewer gets of an event; undefined when it is not, or no longer, for this viewer. */
export type See<Data = unknown> = (row: EventRow, viewer: Viewer | undefined) => Data | undefined

/** Reads all that a page of events of one type shows, at once. */
export type EventView<Data = unknown> = (db: Db, wanted: readonly Wanted[]) => Promise<See<Data>>

/** How events of each type become public JSON, at the moment they are told. The compiler requires it to be complete. */
export type EventViews = { readonly [T in EventType]: EventView<EventData<T>> }

const stored: EventView<never> = async () => (row, viewer) =>
  viewer && row.recipients?.includes(viewer.id) ? (row.data as never) : undefined

const views: EventViews = {
  ...agentEvents,
  ...notificationEvents,
  ...tradeEvents,
  ...tweetEvents,
  'approval.requested': stored,
  'approval.decided': stored,
  'agent.frozen': stored,
  'agent.unfrozen': stored,
  'webhook.ping': stored,
  'video.completed': stored,
  'video.failed': stored,
}

/** Finds out what each viewer gets of a page of events, as things are now. */
export async function seeEvents(db: Db, wanted: readonly Wanted[]): Promise<See> {
  const byType = new Map<EventType, Wanted[]>()
  for (const it of wanted) byType.set(it.row.type, [...(byType.get(it.row.type) ?? []), it])
  const sees = new Map<EventType, See>()
  for (const [type, some] of byType) sees.set(type, await views[type](db, some))
  const isAdmitted = await withHoldings(
    db,
    wanted.flatMap(({ row, viewers }) => (row.audience === null ? [] : [{ audience: row.audience, viewers }])),
  )
  return (row, viewer) => {
    if (row.audience !== null && row.agentId !== viewer?.id && !isAdmitted(row.audience, viewer)) return undefined
    return sees.get(row.type)?.(row, viewer)
  }
}
