import { setTimeout as wait } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import type { Waker } from '../../adapters/wake/waker.js'
import type { Db } from '../db/db.js'
import type { Peers } from '../peers/peers.js'
import { claimLog, type LogState, readLog, releaseLog } from './election.js'
import type { EventLog } from './log.js'

/** Gives committed events their place in the order and wakes the readers. */
export interface Orderer {
  /** Calls `listener` when there may be new events, from any instance. */
  onOrdered(listener: () => void): void
  /** Resolves when every event that was committed before the call has its place. */
  settle(): Promise<void>
  close(): Promise<void>
}

// Polling finds events that no wake-up announced: an instance died between commit and ordering, or Redis lost a message.
const LOOK_EVERY_MS = 500
// Ordering one event costs almost as much as ordering many, so under steady writes they are collected for a moment.
const BETWEEN_MS = 10
// The process that orders is told of what others have committed, by each at most this often.
const TELL_EVERY_MS = 10
// Another one takes over when something has waited for so long while nothing was ordered.
const TAKE_AFTER_MS = 250
const DOUBT_EVERY_MS = 100
// A process that has not looked for so long may have stood still, and looks before it goes on.
const TRUST_MS = 1_000
const TOPIC = 'events.appended'
const FREE = 'free'

/** Events that are made in the statement that places them. */
export interface MadeEvents {
  /** A query for their columns, with the `id` and the `part` of it by which they come among the drafts. */
  readonly events: Sql
  /** A query for the highest id of a draft to take with them, of those of `first_draft`; null for all. */
  readonly upTo: Sql
}

/**
 * The first part of a `with` that places events: the place of the last one, held until the end of the transaction. Where the
 * condition is false there is no row, and nothing is locked, which would take a transaction id. The limit tells the planner
 * that there is only one row.
 */
export const lockedLogIf = (condition: Sql) =>
  sql`log as materialized (select last_id from event_log where ${condition} limit 1 for update)`

/**
 * Keeps the orderer from the next set until the transaction ends. What takes something away, and with it all that follows from
 * deeds with it, begins with this: otherwise a set that is under way could write more of it. Any number may hold it at a time.
 */
export async function holdOrder(db: Db): Promise<void> {
  await db.run(sql`select from event_log for share`)
}

/**
 * Parts of a `with`, after `lockedLogIf` and `first_draft`, that move drafts, and events made beside them, into the order.
 * `counted` says how many `moved`. One process at a time locks the log's row, and only committed drafts are visible, so an id
 * never appears before a smaller one: a reader that continues from the newest id it has seen cannot miss an event, however
 * late its transaction commits.
 */
export function placeParts({ events, upTo }: MadeEvents): Sql {
  const columns = sql`id, part, type, topic, at, agent_id, audience, recipient_id, tweet_id, data`
  return sql`
    draft as (
      delete from event_draft using log
      where event_draft.ctid = any(array(select place from first_draft)) and event_draft.id <= coalesce((${upTo}), event_draft.id)
      returning event_draft.*, 0 as part),
    arrived as (
      select ${columns}, recipients from draft union all select ${columns}, null from (${events}) made),
    placed as (
      insert into event (id, type, topic, at, agent_id, audience, recipient_id, recipients, first_recipient,
        last_recipient, tweet_id, data)
      select last_id + row_number() over (order by id, part), type, topic, at, agent_id, audience, recipient_id,
        recipients, recipients[1], recipients[cardinality(recipients)], tweet_id, data
      from arrived cross join log order by id, part),
    counted as (select count(*)::integer as moved from arrived),
    moved_on as (update event_log set last_id = event_log.last_id + moved from counted where moved > 0)`
}

// By the index: rows that were just deleted make the table long to read until it is vacuumed.
/** Whether events wait for their place. */
export const hasDrafts = sql`exists (select from first_drafts(1))`

/**
 * What the orderer does with what others have committed. One process does it, but for a moment two may believe that they are
 * the one: it locks what must not be done twice.
 */
export interface Step {
  /** An SQL condition: whether anything waits. */
  readonly waiting: Sql
  /** The size of a set. After a full one the orderer goes on at once. */
  readonly atOnce: number
  /** Moves up to `atOnce` and returns how many. */
  run(db: Db): Promise<number>
}

interface OrdererOptions {
  readonly db: Db
  readonly events: EventLog
  readonly waker: Waker
  /** The processes that share the database, of which one orders. Without them this one does. */
  readonly peers?: Pick<Peers, 'instanceId' | 'on' | 'onGap' | 'publish'>
  readonly step: Step
  onError(error: Error): void
}

export function startOrderer(options: OrdererOptions): Orderer {
  const { db, events, waker, peers, step, onError } = options
  const listeners: (() => void)[] = []
  let closed = false
  let isDue = false
  let running: Promise<void> | undefined
  let isElected = peers === undefined
  let seen: (LogState & { readonly sinceMs: number }) | undefined
  let lookedAt = performance.now()

  function announce(): void {
    for (const listener of listeners) listener()
  }

  async function run(): Promise<void> {
    while (isDue && !closed) {
      isDue = false
      const moved = await step.run(db)
      const hasMore = moved >= step.atOnce
      if (hasMore) isDue = true
      if (moved === 0) continue
      announce()
      waker.wake()
      if (!hasMore) await wait(BETWEEN_MS)
    }
  }

  /** Orders now, or once more if a run is under way: that run may have missed the newest drafts. */
  function order(): Promise<void> {
    isDue = true
    running ??= run()
      .catch((error: Error) => {
        onError(error)
        if (!peers) lookLater()
      })
      .finally(() => {
        running = undefined
        if (isDue && !closed) void order()
      })
    return running
  }

  /** Whether this process orders, as far as it knows, and nothing has kept it from knowing. */
  const isSure = () => isElected && (!peers || performance.now() - lookedAt < TRUST_MS)

  function onAppended(): void {
    if (isSure()) void order()
    else if (isElected) lookLater(0)
    else tell()
  }

  let telling: NodeJS.Timeout | undefined
  let toldAt = Number.NEGATIVE_INFINITY

  function tell(): void {
    telling ??= setTimeout(
      () => {
        telling = undefined
        toldAt = performance.now()
        peers?.publish(TOPIC, '').catch(onError)
      },
      toldAt + TELL_EVERY_MS - performance.now(),
    )
  }

  async function look(): Promise<void> {
    const at = performance.now()
    const found = await readLog(db, step.waiting)
    const isSame = seen?.waiting && seen.last_id === found.last_id && seen.ordered_by === found.ordered_by
    const before = seen
    seen = { ...found, sinceMs: isSame && before ? before.sinceMs : at }
    lookedAt = at
    if (peers) {
      isElected = found.ordered_by === peers.instanceId
      const isStuck = found.waiting && at - seen.sinceMs >= TAKE_AFTER_MS
      if (!isElected && !closed && (found.is_free || isStuck)) isElected = await claimLog(db, peers.instanceId, found)
    }
    if (found.waiting && isElected) void order()
    if (found.last_id !== before?.last_id) announce()
  }

  let looking = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY

  /** Polls. A lone process polls once, for what a killed process left behind. */
  function keepLooking(): void {
    dueAt = Number.POSITIVE_INFINITY
    looking = looking.then(look).then(
      () => peers && lookLater(seen?.waiting && !isElected ? DOUBT_EVERY_MS : LOOK_EVERY_MS),
      (error: Error) => {
        onError(error)
        lookLater()
      },
    )
  }

  /** Unless it looks sooner anyway. */
  function lookLater(afterMs = LOOK_EVERY_MS): void {
    const at = performance.now() + afterMs
    if (closed || at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(keepLooking, afterMs).unref()
  }

  keepLooking()
  events.onAppended(onAppended)
  waker.onWoken(announce)
  peers?.on(TOPIC, (body) => {
    if (isElected) onAppended()
    else if (body === FREE) lookLater(0)
  })
  peers?.onGap(() => lookLater(0))

  return {
    onOrdered: (listener) => void listeners.push(listener),
    async settle() {
      await running
      await order()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      clearTimeout(telling)
      await Promise.all([looking, running])
      if (!peers || !isElected) return
      await releaseLog(db, peers.instanceId)
        .then(() => peers.publish(TOPIC, FREE))
        .catch(onError)
    },
  }
}
