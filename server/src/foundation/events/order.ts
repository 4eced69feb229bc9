import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Waker } from '../../adapters/wake/waker.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import type { EventLog } from './log.js'

/** Gives committed events their place in the order, and wakes those who read it. */
export interface Orderer {
  /** Calls `listener` when there may be new events in the order, from whichever instance. */
  onOrdered(listener: () => void): void
  /** Resolves when every event that was committed before the call has its place. */
  settle(): Promise<void>
  close(): Promise<void>
}

// What woke nobody is found by looking: an instance that died between its commit and the ordering, a message that Redis lost.
const LOOK_EVERY_MS = 500
const AT_ONCE = 2_000
// Ordering one event costs almost as much as ordering many, so under steady writes they are gathered for a moment.
const BETWEEN_MS = 10

/**
 * Moves up to so many drafts into the order; returns how many. One process at a time holds the row of the log, and only
 * committed drafts can be seen, so an id is never visible before a smaller one: nobody who reads on from the newest id
 * it knows can miss an event, however late its transaction committed.
 */
export async function orderDrafts(db: Db, atOnce = AT_ONCE): Promise<number> {
  const { moved } = await db.one<{ moved: number }>(sql`
    with log as materialized (select last_id from event_log for update),
    taken as (
      delete from event_draft using log
      where event_draft.id in (select id from event_draft order by id limit ${atOnce}) returning event_draft.*, last_id),
    placed as (
      insert into event (id, type, topic, at, agent_id, audience, recipient_id, recipients, first_recipient,
        last_recipient, tweet_id, data)
      select last_id + row_number() over (order by id), type, topic, at, agent_id, audience, recipient_id,
        recipients, recipients[1], recipients[cardinality(recipients)], tweet_id, data
      from taken order by id),
    counted as (select count(*)::integer as moved from taken),
    moved_on as (update event_log set last_id = event_log.last_id + moved from counted where moved > 0)
    select moved from counted`)
  return moved
}

interface OrdererOptions {
  readonly db: Db
  readonly events: EventLog
  readonly waker: Waker
  /** Whether no other process writes events: then what it appends itself is all there is to order. */
  readonly isAlone?: boolean
  onError(error: Error): void
}

export function startOrderer({ db, events, waker, isAlone = false, onError }: OrdererOptions): Orderer {
  const listeners: (() => void)[] = []
  let closed = false
  let isDue = false
  let running: Promise<void> | undefined
  let known = -1

  function announce(): void {
    for (const listener of listeners) listener()
  }

  async function run(): Promise<void> {
    while (isDue && !closed) {
      isDue = false
      const moved = await orderDrafts(db)
      if (moved === AT_ONCE) isDue = true
      if (moved === 0) continue
      announce()
      waker.wake()
      if (moved < AT_ONCE) await wait(BETWEEN_MS)
    }
  }

  /** Orders now, or once more when that is under way: what it has read already may lack the newest. */
  function order(): Promise<void> {
    isDue = true
    running ??= run()
      .catch((error: Error) => {
        onError(error)
        if (isAlone) lookLater()
      })
      .finally(() => {
        running = undefined
        if (isDue && !closed) void order()
      })
    return running
  }

  async function look(): Promise<void> {
    const { last_id, waiting } = await db.one<Row<'event_log', 'last_id'> & { waiting: boolean }>(
      sql`select last_id, exists (select from event_draft) as waiting from event_log`,
    )
    if (waiting) await order()
    if (Number(last_id) !== known) announce()
    known = Number(last_id)
  }

  let looking = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Looks now and then. Alone, once is enough for what a process that was killed left behind. */
  function keepLooking(): void {
    looking = look().then(
      () => (isAlone ? undefined : lookLater()),
      (error: Error) => {
        onError(error)
        lookLater()
      },
    )
  }

  function lookLater(): void {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(keepLooking, LOOK_EVERY_MS).unref()
  }

  keepLooking()
  events.onAppended(() => void order())
  waker.onWoken(announce)

  return {
    onOrdered: (listener) => void listeners.push(listener),
    async settle() {
      await running
      await order()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await Promise.all([looking, running])
    },
  }
}
