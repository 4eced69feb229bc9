import pLimit from 'p-limit'
import { Problem } from '../../base/problem.js'
import type { Identities } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import type { Interest } from '../../foundation/events/interest.js'
import type { Orderer } from '../../foundation/events/order.js'
import { getExtent, listEvents } from '../../foundation/events/rows.js'
import { inOrder, keyOf, readTopics, topicFor } from '../../foundation/events/topics.js'
import { join, type Listener, type Reader, tell } from './reader.js'
import { createReaders } from './readers.js'
import { type ToldEvent, toldEvent } from './told-event.js'
import { seeEvents } from './views.js'

/** What one connection listens to. */
export interface Subscription {
  readonly topics: Interest['topic'][]
  /** Listens to more. What came after the interests' events follows. */
  add(interests: readonly Interest[]): void
  remove(topics: readonly string[]): void
  /** Sends again, for all topics, what came after an event. */
  rewind(to: number): void
  close(): void
}

/** Tells every connection of this process what happens, each once and in order. */
export interface Hub {
  /** Reads what a listener asks for, and refuses what it cannot have. Without `resume` it is what comes from now on. */
  prepare(
    viewer: Viewer | undefined,
    topics: readonly string[],
    resume: string | undefined,
  ): Promise<{ interests: Interest[]; since: number }>
  open(listener: Listener): Subscription
  /** How many connections there are, of one caller or of all. */
  count(caller?: string): number
  /** How many events in the log are not told here yet. */
  lag(): Promise<number>
  close(): Promise<void>
}

const PAGE = 500
const RETRY_MS = 500
/** How long a connection is left without a sign of life. */
export const HEARTBEAT_SECONDS = 15
// So many read old events at a time; the others of the pool serve requests.
const CATCHING_UP_AT_ONCE = 3

interface HubOptions {
  readonly db: Db
  readonly orderer: Orderer
  readonly identities: Identities
  onError(error: Error): void
  /** How long a second of the signs of life is. */
  readonly secondMs?: number
}

export function createHub({ db, orderer, identities, onError, secondMs = 1_000 }: HubOptions): Hub {
  const readers = createReaders()
  const inTurn = pLimit(CATCHING_UP_AT_ONCE)
  // Everything up to this event was told; undefined while nobody listens.
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
        while (!isClosed && (await tellPage()));
      }
    } catch (error) {
      onError(error as Error)
      retry = setTimeout(wake, RETRY_MS)
    }
  }

  /** Tells one page; says whether there may be more. */
  async function tellPage(): Promise<boolean> {
    if (!readers.isAnyoneListening()) head = undefined
    if (newcomers.length > 0) head ??= (await getExtent(db)).lastId
    for (const admit of newcomers.splice(0)) admit()
    if (head === undefined) return false
    const rows = await listEvents(db, head, PAGE)
    const wanted = rows.map((row) => ({ row, readers: readers.of(row) })).filter((it) => it.readers.length > 0)
    const see = await seeEvents(
      db,
      wanted.map(({ row, readers }) => ({ row, viewers: viewersOf(readers) })),
    )
    const outgoing = new Map<Reader, ToldEvent[]>()
    for (const { row, readers } of wanted) {
      const made = new Map<string, { data: unknown; event: ToldEvent }>()
      for (const reader of readers) {
        const topic = topicFor(row, reader.interests)
        const data = topic === undefined ? undefined : see(row, reader.viewer)
        if (topic === undefined || data === undefined) continue
        const known = made.get(topic)
        const it = known?.data === data ? known : { data, event: toldEvent(row, topic, data) }
        made.set(topic, it)
        const events = outgoing.get(reader)
        if (events) events.push(it.event)
        else outgoing.set(reader, [it.event])
      }
    }
    for (const [reader, events] of outgoing) tell(reader, events)
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

  async function checkAgain(reader: Reader): Promise<void> {
    if (!reader.viewer) return
    const viewer = await reader.identify()
    if (viewer) reader.viewer = viewer
    else reader.sink.end(4401)
  }

  let tick = 0
  const slots = new WeakMap<Reader, number>()
  const heart = setInterval(() => {
    tick = (tick + 1) % HEARTBEAT_SECONDS
    for (const reader of readers) if (slots.get(reader) === tick) reader.sink.beat(reader.waiting ? undefined : head)
  }, secondMs)
  heart.unref()

  orderer.onOrdered(wake)
  identities.onForgotten((agentId) => {
    for (const reader of readers)
      if (agentId === undefined || reader.viewer?.id === agentId) checkAgain(reader).catch(onError)
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
      // One that was on its way in when the others were ended would hold up the stop for as long as it likes.
      if (isClosed) reader.sink.end(1001)
      let joining = Promise.resolve()

      function change(work: () => Promise<void> | void): void {
        joining = joining
          .then(() => (reader.isOpen ? work() : undefined))
          .catch((error: Error) => {
            onError(error)
            // It comes back and resumes.
            reader.sink.end(1001)
          })
      }

      return {
        get topics() {
          return reader.interests.map((interest) => interest.topic)
        },
        add: (interests) =>
          change(() => {
            const known = new Set(reader.interests.map(keyOf))
            const additions = inOrder(interests.filter((interest) => !known.has(keyOf(interest))))
            return additions.length === 0 ? undefined : join({ db, inTurn, admit }, reader, additions)
          }),
        remove: (topics) =>
          change(() => {
            const gone = new Set(topics.map((topic) => topic.toLowerCase()))
            readers.setInterests(
              reader,
              reader.interests.filter((interest) => !gone.has(interest.topic)),
            )
          }),
        rewind: (to) =>
          change(() => {
            const again = reader.interests.map((interest) => ({ ...interest, since: to }))
            readers.setInterests(reader, [])
            return again.length === 0 ? undefined : join({ db, inTurn, admit }, reader, again)
          }),
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
