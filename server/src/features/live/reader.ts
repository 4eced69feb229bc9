import type { Topic } from '@rookery/api'
import type { Turns } from '../../base/turns.js'
import type { Db } from '../../foundation/db/db.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import type { Interest } from '../../foundation/events/interest.js'
import { type EventRange, getExtent, listEventsFor } from '../../foundation/events/rows.js'
import { inOrder, topicFor } from '../../foundation/events/topics.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import { encodeEvent, type OutgoingEvent } from './outgoing-event.js'
import type { Sink } from './sink.js'
import type { Trust } from './trust.js'
import { seeEvents } from './views.js'

/** A connected client. */
export interface Listener {
  /** Identifies the caller when connections are counted. */
  readonly caller: string
  /** The client's network address, which has a limit of its own. */
  readonly address: string
  /** Whose allowance messages count against, and who takes turns in reading old events: `caller` until it authenticates. */
  charged: string
  readonly sink: Sink
  viewer: Viewer | undefined
  /** The session that the credential ends with. */
  sessionId?: string | undefined
  /** Finds the viewer again; undefined when the credential is no longer valid. */
  identify(): Promise<Viewer | undefined>
}

/** A listener with its interests. */
export interface Reader extends Listener {
  /** In order of precedence: the first that matches an event decides its topic. */
  interests: readonly Interest[]
  /** New events that wait until older ones have been sent; undefined when there are no older ones. */
  waiting: OutgoingEvent[] | undefined
  isOpen: boolean
}

const PAGE = 500
const MOST_WAITING = 10_000

/** Sends a reader its events. Events that arrive while older ones are still being sent wait for them. */
export function deliver(reader: Reader, events: readonly OutgoingEvent[]): void {
  if (!reader.isOpen) return
  if (!reader.waiting) reader.sink.send(events)
  else if (reader.waiting.push(...events) > MOST_WAITING) reader.sink.end(4409)
}

interface JoinOptions {
  readonly db: Db
  readonly mediaUrls: MediaUrls
  /** Limits how many readers read old events at a time, page by page. */
  readonly turns: Turns
  readonly trust: Pick<Trust, 'whileGood'>
  /** Makes the hub send events of these interests from its next page on; resolves with the last event before that page. */
  readonly admit: (reader: Reader, interests: readonly Interest[]) => Promise<number>
}

/**
 * Adds interests to a reader. First sends the events that are already in the log, page by page and as fast as the client
 * reads. Then the hub takes over; its events wait until the last ones in between have been sent.
 */
export async function join(options: JoinOptions, reader: Reader, additions: readonly Interest[]): Promise<void> {
  const { db, mediaUrls, turns, trust, admit } = options
  const before = reader.interests
  const since = Math.min(...additions.map((interest) => interest.since))

  /** Sends the first page of a range. Returns the last event that it covers. */
  async function sendRange(range: EventRange): Promise<number> {
    const { events, upTo, isComplete } = await turns.take(reader.charged, async () => {
      const page = await listEventsFor(db, additions, range, PAGE)
      const isComplete = (await getExtent(db)).prunedId <= range.after
      // The reader already has the events of its earlier interests.
      const rows = page.rows.filter((row) => topicFor(row, before) === undefined)
      const see = await trust.whileGood([reader], () =>
        seeEvents(
          { db, mediaUrls },
          rows.map((row) => ({ row, viewers: [reader.viewer] })),
        ),
      )
      return { isComplete, upTo: page.upTo, events: rows.flatMap((row) => encode(row, see(row, reader.viewer))) }
    })
    if (!isComplete) reader.sink.end(4410)
    else if (events.length > 0 && reader.isOpen) reader.sink.send(events)
    await reader.sink.drained()
    return upTo
  }

  function encode(row: Parameters<typeof topicFor>[0], data: unknown): OutgoingEvent[] {
    const topic: Topic | undefined = topicFor(row, additions)
    return topic === undefined || data === undefined ? [] : [encodeEvent(row, topic, data)]
  }

  /** Sends all events up to `end`. Returns the last event that was covered. */
  async function sendUpTo(after: number, end: number): Promise<number> {
    let at = after
    while (at < end && reader.isOpen) at = await sendRange({ after: at, upTo: end })
    return at
  }

  const at = await sendUpTo(since, (await getExtent(db)).lastId)
  if (!reader.isOpen) return
  reader.waiting ??= []
  await sendUpTo(at, await admit(reader, inOrder([...before, ...additions])))
  // What waits was seen with a credential that was good then; a slow client has kept it waiting since.
  await trust.whileGood([reader], async () => {})
  const { waiting } = reader
  reader.waiting = undefined
  if (waiting && waiting.length > 0) deliver(reader, waiting)
}
