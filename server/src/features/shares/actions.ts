import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { EventBlock, ShareEvent } from '../../foundation/chain/decode.js'
import type { Db } from '../../foundation/db/db.js'
import { deleteNewestEvents, type EventsByKind, insertEvents, insertsOf, LOGS_PER_BLOCK } from './event-rows.js'
import { changeFigures, readBefore, readLeft } from './figures.js'
import { afterApplied, afterUndone } from './reactions.js'
import { type Tally, tallyEvents } from './tally.js'

export { adoptShares } from './adopt.js'
export { LostLogs } from './tally.js'
export { valueHoldings } from './values.js'

type ShareDeps = Pick<Deps, 'identities' | 'log' | 'events'>

/** How blocks are applied. */
export interface Applying {
  /** Whether they are old, so that nobody is to be told of what is in them. */
  readonly catchingUp: boolean
}

/** Blocks, with everything about them that can be worked out before the database is free for them. */
export interface PreparedBlocks {
  readonly events: EventsByKind
  readonly tally: Tally
  readonly inserts: readonly Sql[]
}

/**
 * Prepares blocks, which come in order.
 * @throws LostLogs when something between them is missing
 */
export function prepareBlocks(blocks: readonly EventBlock[]): PreparedBlocks {
  const all = blocks.flatMap((block) => block.events)
  const events = byKind(all)
  return { events, tally: tallyEvents(all), inserts: insertsOf(events) }
}

/**
 * Writes what happened in blocks, and everything that follows from it, in the caller's transaction. Blocks come only
 * once: the caller moves its cursor in the same transaction.
 * @throws LostLogs when something between them and what is there is missing
 */
export async function applyBlocks(
  deps: ShareDeps,
  db: Db,
  { events, tally, inserts }: PreparedBlocks,
  { catchingUp }: Applying,
): Promise<void> {
  if (inserts.length === 0) return
  const purchases = await readBefore(db, tally)
  await insertEvents(db, inserts)
  await changeFigures(db, 'apply', tally, purchases)
  await setLaunched(deps, db, 'apply', events.launches, { catchingUp })
  await afterApplied(deps, db, { ...events, catchingUp })
}

// So many rows at a time fit into memory, however far back a reorganisation reaches.
const UNDONE_AT_ONCE = 20_000

/** Takes back everything that happened in a block and those after it, in the caller's transaction. */
export async function undoBlocks(deps: ShareDeps, db: Db, fromBlock: number): Promise<void> {
  for (;;) {
    const { isAll, ...kinds } = await deleteNewestEvents(db, fromBlock * LOGS_PER_BLOCK, UNDONE_AT_ONCE)
    const tally = tallyEvents(inOrder(kinds))
    await changeFigures(db, 'undo', tally, await readLeft(db, tally))
    await setLaunched(deps, db, 'undo', kinds.launches, { catchingUp: false })
    await afterUndone(deps, db, kinds)
    if (isAll) return
  }
}

function byKind(events: readonly ShareEvent[]): EventsByKind {
  const kinds = { trades: [], transfers: [], launches: [] } as {
    [Kind in keyof EventsByKind]: EventsByKind[Kind][number][]
  }
  for (const event of events) {
    if (event.kind === 'trade') kinds.trades.push(event)
    else if (event.kind === 'transfer') kinds.transfers.push(event)
    else kinds.launches.push(event)
  }
  return kinds
}

function inOrder({ trades, transfers }: EventsByKind): ShareEvent[] {
  return [...trades, ...transfers].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

// With more, the seconds for which an identity is remembered are shorter than telling all instances of each.
const FORGOTTEN_AT_ONCE = 20

async function setLaunched(
  { identities, log, events }: ShareDeps,
  db: Db,
  direction: 'apply' | 'undo',
  launches: EventsByKind['launches'],
  { catchingUp }: Applying,
): Promise<void> {
  if (launches.length === 0) return
  const at = direction === 'apply' ? sql`to_timestamp(it.time)` : sql`null`
  const agents = await db.many<{ id: string }>(sql`
    update agent set launched_at = ${at}
    from unnest(${launches.map((it) => it.subject)}::text[], ${launches.map((it) => it.time)}::double precision[])
      as it (subject, time)
    where agent.subject = it.subject returning agent.id`)
  if (direction === 'apply' && !catchingUp)
    await events.append(
      db,
      agents.map(({ id }) => ({ type: 'agent.launched' as const, agentId: id })),
    )
  if (agents.length > FORGOTTEN_AT_ONCE) return
  db.afterCommit(() => {
    for (const { id } of agents)
      identities
        .forget(id)
        .catch((error: Error) => log.warn({ message: error.message }, 'an identity was not forgotten'))
  })
}
