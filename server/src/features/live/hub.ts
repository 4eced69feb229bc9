import type { Holds } from '../../base/holds.js'
import { Problem } from '../../base/problem.js'
import { createTurns } from '../../base/turns.js'
import type { Identities } from '../../foundation/callers/agent-identities.js'
import type { SessionTokens } from '../../foundation/callers/session-tokens.js'
import type { Db } from '../../foundation/db/db.js'
import { isAgentViewer, type Viewer, viewingAgentId } from '../../foundation/db/visibility.js'
import type { Interest } from '../../foundation/events/interest.js'
import type { Orderer } from '../../foundation/events/order.js'
import { getExtent, listEvents } from '../../foundation/events/rows.js'
import { inOrder, keyOf, readTopics, topicFor } from '../../foundation/events/topics.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import { encodeEvent, type OutgoingEvent } from './outgoing-event.js'
import { deliver, join, type Listener, type Reader } from './reader.js'
import { createReaders } from './readers.js'
import { createTrust } from './trust.js'
import { seeEvents } from './views.js'

/** The topics of one connection. */
export interface Subscription {
  readonly topics: Interest['topic'][]
  /** How many of its replays of old events run or wait. */
  readonly replays: number
  /** Adds interests. Sends the events since each interest's `since` first, which is a replay when the client chose it. */
  add(interests: readonly Interest[], options?: { readonly isReplay: boolean }): void
  remove(topics: readonly string[]): void
  /** Sends all events after the given one again, for all topics. */
  rewind(to: number): void
  /** Ends the connection unless its credential is still valid. */
  recheck(): Promise<void>
  close(): void
}

/** Sends every connection of this process its events, each once and in order. */
export interface Hub {
  /** Resolves the topics of a listener, and refuses those it may not have. Without `resume`, events from now on follow. */
  prepare(
    viewer: Viewer | undefined,
    topics: readonly string[],
    resume: string | undefined,
  ): Promise<{ interests: Interest[]; since: number }>
  open(listener: Listener): Subscription
  /** Counts the open connections of one caller to this process, or all of them. */
  count(caller?: string): number
  /** The number of events in the log that this process has not sent yet. */
  lag(): Promise<number>
  close(): Promise<void>
}

const PAGE = 500
const RETRY_MS = 500
export const HEARTBEAT_SECONDS = 15
// How many readers may read old events at a time, so that the other connections of the pool can serve requests.
const CATCHING_UP_AT_ONCE = 3

interface HubOptions {
  readonly db: Db
  readonly orderer: Orderer
  readonly identities: Identities
  readonly sessionTokens: Pick<SessionTokens, 'onEnded'>
  readonly mediaUrls: MediaUrls
  /** Where open connections are counted. */
  readonly holds: Pick<Holds, 'add' | 'give'>
  /** Whether this process is sure to hear of every credential that ends. */
  readonly isInformed: () => boolean
  onError(error: Error): void
  /** The length of a heartbeat second; tests shorten it. */
  readonly secondMs?: number
}

export function createHub(options: HubOptions): Hub {
  const { db, orderer, identities, sessionTokens, mediaUrls, holds, isInformed, onError, secondMs = 1_000 } = options
  const trust = createTrust(isInformed)
  const readers = createReaders(holds)
  const turns = createTurns(CATCHING_UP_AT_ONCE)
  // Everything up to this event has been sent; undefined while nobody listens.
  let head: number | undefined
  const newcomers: (() => void)[] = []
  let isDue = false
  let isClosed = false
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  function wake(): void {
    isDue = true
    running ??= run().finally(() => {
      running = undefined
      if (isDue && !isClosed) wake()
    })
  }

  async function run(): Promise<void> {
    try {
      while (isDue && !isClosed) {
        isDue = false
        while (!isClosed && (await sendPage()));
      }
    } catch (error) {
      onError(error as Error)
      retry = setTimeout(wake, RETRY_MS)
    }
  }

  /** Sends one page. Returns whether there may be more. */
  async function sendPage(): Promise<boolean> {
    if (!readers.isAnyoneListening()) head = undefined
    if (newcomers.length > 0) head ??= (await getExtent(db)).lastId
    for (const admit of newcomers.splice(0)) admit()
    if (head === undefined) return false
    const rows = await listEvents(db, head, PAGE)
    const wanted = rows
      .map((row) => ({ row, readers: readers.listFor(row) }))
      .filter(({ readers }) => readers.length > 0)
    const see = await trust.whileGood([...new Set(wanted.flatMap(({ readers }) => readers))], () =>
      seeEvents(
        { db, mediaUrls },
        wanted.map(({ row, readers }) => ({ row, viewers: viewersOf(readers) })),
      ),
    )
    const outgoing = new Map<Reader, OutgoingEvent[]>()
    for (const { row, readers } of wanted) {
      const encoded = new Map<string, { data: unknown; event: OutgoingEvent }>()
      for (const reader of readers) {
        const topic = topicFor(row, reader.interests)
        const data = topic === undefined ? undefined : see(row, reader.viewer)
        if (topic === undefined || data === undefined) continue
        const previous = encoded.get(topic)
        const current = previous?.data === data ? previous : { data, event: encodeEvent(row, topic, data) }
        encoded.set(topic, current)
        const events = outgoing.get(reader)
        if (events) events.push(current.event)
        else outgoing.set(reader, [current.event])
      }
    }
    for (const [reader, events] of outgoing) deliver(reader, events)
    head = rows.at(-1)?.id ?? head
    return rows.length > 0
  }

  function admit(reader: Reader, interests: readonly Interest[]): Promise<number> {
    return new Promise((resolve) => {
      newcomers.push(() => {
        if (reader.isOpen) readers.setInterests(reader, interests)
        resolve(head ?? 0)
      })
      wake()
    })
  }

  let tick = 0
  const slots = new WeakMap<Reader, number>()
  const heart = setInterval(() => {
    tick = (tick + 1) % HEARTBEAT_SECONDS
    for (const reader of readers)
      if (slots.get(reader) === tick) {
        reader.sink.beat(reader.waiting ? undefined : head)
        // Sessions also expire, which nobody announces.
        if (reader.sessionId !== undefined) trust.recheck(reader).catch(onError)
      }
  }, secondMs)
  heart.unref()

  orderer.onOrdered(wake)
  identities.onForgotten((agentId) => {
    for (const reader of readers)
      if (agentId === undefined || viewingAgentId(reader.viewer) === agentId) {
        // Until the viewer is found again, it may have blocked somebody: the next event must not slip through.
        if (isAgentViewer(reader.viewer)) reader.viewer = { ...reader.viewer, hasHidden: true }
        trust.suspect(reader)
        trust.recheck(reader).catch(onError)
      }
  })

  sessionTokens.onEnded((sessionIds) => {
    for (const reader of readers)
      if (reader.sessionId !== undefined && sessionIds.has(reader.sessionId)) reader.sink.end(4401)
  })

  return {
    async prepare(viewer, topics, resume) {
      const { lastId, prunedId } = await getExtent(db)
      const since = resume === undefined ? lastId : Number(resume)
      if (since > lastId) throw Problem.at('resume', 'must be the id of an event of this service')
      if (since < prunedId) throw new Problem('RESUME_TOO_OLD')
      return { interests: await readTopics(db, viewer, topics, since), since }
    },

    open(listener) {
      const reader: Reader = Object.assign(listener, { interests: [], waiting: [], isOpen: true })
      readers.add(reader)
      slots.set(reader, readers.count() % HEARTBEAT_SECONDS)
      // A connection that opens after the others were ended would otherwise delay the stop indefinitely.
      if (isClosed) reader.sink.end(1001)
      // Its credential may have ended between the check of the request and here, which nobody would notice later.
      else trust.recheck(reader).catch(onError)
      let joining = Promise.resolve()
      let replays = 0

      function change(work: () => Promise<void> | void): void {
        joining = joining
          .then(() => (reader.isOpen ? work() : undefined))
          .catch((error: Error) => {
            onError(error)
            // The client reconnects and resumes.
            reader.sink.end(1001)
          })
      }

      function replay(work: () => Promise<void> | undefined): void {
        replays++
        change(async () => {
          await work()
          replays--
        })
      }

      return {
        get topics() {
          return reader.interests.map((interest) => interest.topic)
        },
        get replays() {
          return replays
        },
        add: (interests, { isReplay } = { isReplay: false }) =>
          (isReplay ? replay : change)(() => {
            const existing = new Set(reader.interests.map(keyOf))
            const additions = inOrder(interests.filter((interest) => !existing.has(keyOf(interest))))
            return additions.length === 0 ? undefined : join({ db, mediaUrls, turns, trust, admit }, reader, additions)
          }),
        remove: (topics) =>
          change(() => {
            const removed = new Set(topics.map((topic) => topic.toLowerCase()))
            readers.setInterests(
              reader,
              reader.interests.filter((interest) => !removed.has(interest.topic)),
            )
          }),
        rewind: (to) =>
          replay(() => {
            const rewound = reader.interests.map((interest) => ({ ...interest, since: to }))
            readers.setInterests(reader, [])
            return rewound.length === 0 ? undefined : join({ db, mediaUrls, turns, trust, admit }, reader, rewound)
          }),
        recheck: () => trust.recheck(reader),
        close() {
          if (readers.remove(reader)) reader.isOpen = false
        },
      }
    },

    count: readers.count,
    lag: async () => (head === undefined ? 0 : (await getExtent(db)).lastId - head),
    async close() {
      isClosed = true
      clearInterval(heart)
      clearTimeout(retry)
      for (const reader of readers) reader.sink.end(1001)
      for (const admit of newcomers.splice(0)) admit()
      await running
    },
  }
}

function viewersOf(readers: readonly Reader[]): (Viewer | undefined)[] {
  return [...new Set(readers.map((reader) => reader.viewer))]
}
