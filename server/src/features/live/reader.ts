import type { Topic } from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import type { Interest } from '../../foundation/events/interest.js'
import { type EventRange, getExtent, listEventsFor } from '../../foundation/events/rows.js'
import { inOrder, topicFor } from '../../foundation/events/topics.js'
import type { Sink } from './sink.js'
import { type ToldEvent, toldEvent } from './told-event.js'
import { seeEvents } from './views.js'

/** Who is connected, and how its credential is looked at again. */
export interface Listener {
  /** Names who calls, for counting. */
  readonly caller: string
  readonly sink: Sink
  viewer: Viewer | undefined
  /** Finds the agent again; nothing when the credential is good no more. */
  identify(): Promise<Viewer | undefined>
}

/** A listener with what it listens to. */
export interface Reader extends Listener {
  /** In the order in which they claim an event. */
  interests: readonly Interest[]
  /** What was told while older events are still on their way; undefined when none are. */
  waiting: ToldEvent[] | undefined
  isOpen: boolean
}

const PAGE = 500
const MOST_WAITING = 10_000

/** Tells a reader what the hub has for it. Events that come while older ones are on their way wait for them. */
export function tell(reader: Reader, events: readonly ToldEvent[]): void {
  if (!reader.isOpen) return
  if (!reader.waiting) reader.sink.send(events)
  else if (reader.waiting.push(...events) > MOST_WAITING) reader.sink.end(4409)
}

interface JoinOptions {
  readonly db: Db
  /** Runs work when a turn for it is free. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Has the hub tell of these interests too, from the next page on; resolves with the last event before. */
  readonly admit: (reader: Reader, interests: readonly Interest[]) => Promise<number>
}

/**
 * Lets a reader listen to more: first what is in the log already, page by page and as fast as it reads; then the hub is
 * asked to tell it what comes, which waits until the last events in between have been sent.
 */
export async function join(options: JoinOptions, reader: Reader, additions: readonly Interest[]): Promise<void> {
  const { db, inTurn, admit } = options
  const before = reader.interests
  const since = Math.min(...additions.map((interest) => interest.since))

  /** Sends what is in a stretch; returns how far it came. */
  async function sendStretch(stretch: EventRange): Promise<number> {
    const { rows, upTo, isWhole } = await inTurn(async () => {
      const page = await listEventsFor(db, additions, stretch, PAGE)
      const isWhole = (await getExtent(db)).prunedId <= stretch.after
      // What the reader listened to before, it has got already.
      const rows = page.rows.filter((row) => topicFor(row, before) === undefined)
      const see = await seeEvents(
        db,
        rows.map((row) => ({ row, viewers: [reader.viewer] })),
      )
      return { isWhole, upTo: page.upTo, rows: rows.flatMap((row) => told(row, see(row, reader.viewer))) }
    })
    if (!isWhole) reader.sink.end(4410)
    else if (rows.length > 0 && reader.isOpen) reader.sink.send(rows)
    await reader.sink.drained()
    return upTo
  }

  function told(row: Parameters<typeof topicFor>[0], data: unknown): ToldEvent[] {
    const topic: Topic | undefined = topicFor(row, additions)
    return topic === undefined || data === undefined ? [] : [toldEvent(row, topic, data)]
  }

  /** Sends everything up to an event; returns how far it came. */
  async function sendUpTo(after: number, end: number): Promise<number> {
    let at = after
    while (at < end && reader.isOpen) at = await sendStretch({ after: at, upTo: end })
    return at
  }

  const at = await sendUpTo(since, (await getExtent(db)).lastId)
  if (!reader.isOpen) return
  reader.waiting ??= []
  await sendUpTo(at, await admit(reader, inOrder([...before, ...additions])))
  const { waiting } = reader
  reader.waiting = undefined
  if (waiting && waiting.length > 0) tell(reader, waiting)
}
