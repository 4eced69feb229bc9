import type { EventData, EventType } from '@rookery/api'
import type { Db } from '../db/db.js'
import type { Viewer } from '../db/visibility.js'
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
