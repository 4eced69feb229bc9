import sql from 'sql-template-tag'
import type { EventBlock } from '../chain/decode.js'
import type { Db } from '../db/db.js'
import type { Deps } from '../deps.js'
import { deleteNewestEvents, type EventsByKind, insertEvents, LOGS_PER_BLOCK } from './event-rows.js'
import { changeFigures, readBefore, readLeft } from './figures.js'
import { afterApplied, afterUndone } from './reactions.js'
import { type Timed, tallyEvents } from './tally.js'

export { LostLogs } from './tally.js'

type Sees = Pick<Deps, 'identities' | 'log'>

/** How blocks are applied. */
export interface Applying {
  /** Whether they are old, so that nobody is to be told of what is in them. */
  readonly catchingUp: boolean
}

/**
 * Writes what happened in blocks, and everything that follows from it, in the caller's transaction. Blocks come in
 * order and only once: the caller moves its cursor in the same transaction.
 * @throws LostLogs when something between them and what is there is missing
 */
export async function applyBlocks(
  deps: Sees,
  db: Db,
  blocks: readonly EventBlock[],
  { catchingUp }: Applying,
): Promise<void> {
  const events: Timed[] = blocks.flatMap(({ time, events }) => events.map((event) => ({ ...event, time })))
  if (events.length === 0) return
  const tally = tallyEvents(events)
  const purchases = await readBefore(db, tally)
  const kinds = byKind(events)
  await insertEvents(db, kinds)
  await changeFigures(db, 'apply', tally, purchases)
  await setLaunched(deps, db, 'apply', kinds.launches)
  await afterApplied(deps, db, { ...kinds, catchingUp })
}

// So many rows at a time fit into memory, however far back a reorganisation reaches.
const UNDONE_AT_ONCE = 20_000

/** Takes back everything that happened in a block and those after it, in the caller's transaction. */
export async function undoBlocks(deps: Sees, db: Db, fromBlock: number): Promise<void> {
  for (;;) {
    const { isAll, ...kinds } = await deleteNewestEvents(db, fromBlock * LOGS_PER_BLOCK, UNDONE_AT_ONCE)
    const tally = tallyEvents(inOrder(kinds))
    await changeFigures(db, 'undo', tally, await readLeft(db, tally))
    await setLaunched(deps, db, 'undo', kinds.launches)
    await afterUndone(deps, db, kinds)
    if (isAll) return
  }
}

function byKind(events: readonly Timed[]): EventsByKind {
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

function inOrder({ trades, transfers }: EventsByKind): Timed[] {
  return [...trades, ...transfers].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

// With more, the seconds for which an identity is remembered are shorter than telling all instances of each.
const FORGOTTEN_AT_ONCE = 20

async function setLaunched(
  { identities, log }: Sees,
  db: Db,
  direction: 'apply' | 'undo',
  launches: EventsByKind['launches'],
): Promise<void> {
  if (launches.length === 0) return
  const at = direction === 'apply' ? sql`to_timestamp(it.time)` : sql`null`
  const agents = await db.many<{ id: string }>(sql`
    update agent set launched_at = ${at}
    from unnest(${launches.map((it) => it.subject)}::text[], ${launches.map((it) => it.time)}::double precision[])
      as it (subject, time)
    where agent.subject = it.subject returning agent.id`)
  if (agents.length > FORGOTTEN_AT_ONCE) return
  db.afterCommit(() => {
    for (const { id } of agents)
      identities
        .forget(id)
        .catch((error: Error) => log.warn({ message: error.message }, 'an identity was not forgotten'))
  })
}
