import type { EventData, EventType } from '@rookery/api'
import type { Db } from '../db/db.js'
import type { Viewer } from '../db/visibility.js'
import type { MediaUrls } from '../media-urls.js'
import type { EventRow } from './rows.js'

/** An event and the viewers it may go to. */
export interface Wanted {
  readonly row: EventRow
  /** undefined: readers without a key. */
  readonly viewers: readonly (Viewer | undefined)[]
}

/** Returns the event's data for one viewer; undefined when the viewer may not see it, or no longer. */
export type See<Data = unknown> = (row: EventRow, viewer: Viewer | undefined) => Data | undefined

/** Reads everything that a page of events of one type shows, in one go. */
export type EventView<Data = unknown> = (
  db: Db,
  wanted: readonly Wanted[],
  mediaUrls: Pick<MediaUrls, 'sign'>,
) => Promise<See<Data>>

/** Turns events of each type into public JSON when they are sent. The compiler requires every type to be here. */
export type EventViews = { readonly [T in EventType]: EventView<EventData<T>> }
