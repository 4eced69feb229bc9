import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { BlockSink } from '../../foundation/chain/block-sink.js'
import type { Db } from '../../foundation/db/db.js'
import { withdrawTrades } from '../notifications/notify-trades.js'
import { keepCandles } from './candles.js'
import { addCosts, type NewMoves, removeCosts } from './costs.js'
import { decodeBlocks, FOLLOWED_TOPICS, type ShareEvent } from './decode.js'
import {
  buildInserts,
  deleteNewestEvents,
  type EventsByKind,
  findLastBlock,
  insertEvents,
  LOGS_PER_BLOCK,
  listTradeEvents,
} from './event-rows.js'
import { appendTradeEvents } from './events.js'
import { changeFigures, readBefore, readLeft } from './figures.js'
import { announceIndexed } from './indexed.js'
import { movesOf } from './new-moves.js'
import { notifyAgents } from './notify.js'
import { type Tally, tallyEvents } from './tally.js'
import type { TradeWatch } from './trade-watch.js'
import { valueHoldings } from './values.js'

type SinkDeps = Pick<Deps, 'identities' | 'log' | 'events' | 'clock' | 'ids' | 'peers'>

/** Decoded blocks, with everything that can be computed before their transaction begins. */
export interface PreparedBlocks {
  readonly events: EventsByKind
  readonly tally: Tally
  readonly inserts: readonly Sql[]
  /** The moves of the tally's pairs. */
  readonly moves: NewMoves
}

// Bounds the memory that a reorganisation needs, however far back it reaches.
const UNDONE_AT_ONCE = 20_000

/** Stores trades, transfers, launches and claims of fees, and everything that is derived from them. */
export function createShareSink(deps: SinkDeps, watch: TradeWatch): BlockSink<PreparedBlocks> {
  const { events } = deps
  return {
    topics: FOLLOWED_TOPICS,

    prepare(blocks) {
      const all = decodeBlocks(blocks)
      const events = groupByKind(all)
      const tally = tallyEvents(all)
      return { events, tally, inserts: buildInserts(events), moves: movesOf(pairsOf(tally), events) }
    },

    async apply(db, { events: { trades, transfers, launches }, tally, inserts, moves }, { catchingUp }) {
      if (inserts.length === 0) return
      const purchases = await readBefore(db, tally)
      await insertEvents(db, inserts)
      await addCosts(db, pairsOf(tally), moves)
      await keepCandles(db, [...trades, ...transfers])
      await changeFigures(db, 'apply', tally, { ...purchases, now: deps.clock.now() })
      await setLaunched(deps, db, 'apply', launches, { catchingUp })
      if (!catchingUp) await appendTradeEvents(events, db, 'trade.pending', trades)
      const notices = await watch.applied(db, { trades, transfers })
      await notifyAgents(deps, db, trades, notices, { catchingUp })
      if (!catchingUp) announceIndexed(deps, db)
    },

    async undo(db, fromBlock) {
      for (;;) {
        const { isAll, ...kinds } = await deleteNewestEvents(db, fromBlock * LOGS_PER_BLOCK, UNDONE_AT_ONCE)
        const tally = tallyEvents(sortEvents(kinds))
        await removeCosts(db, pairsOf(tally), fromBlock * LOGS_PER_BLOCK)
        await keepCandles(db, [...kinds.trades, ...kinds.transfers])
        await changeFigures(db, 'undo', tally, { ...(await readLeft(db, tally)), now: deps.clock.now() })
        await setLaunched(deps, db, 'undo', kinds.launches, { catchingUp: false })
        await appendTradeEvents(events, db, 'trade.reverted', kinds.trades.toReversed())
        await withdrawTrades(
          db,
          kinds.trades.map(({ id }) => id),
        )
        await watch.undone(db, kinds)
        if (isAll) return
      }
    },

    afterConfirmed: async (db, blocks) =>
      appendTradeEvents(events, db, 'trade.confirmed', await listTradeEvents(db, blocks)),
    afterFinal: async (db, blocks) => appendTradeEvents(events, db, 'trade.final', await listTradeEvents(db, blocks)),
    findLastBlock,
    settle: valueHoldings,
  }
}

const pairsOf = ({ pairs }: Tally) => pairs.map(({ holder, subject }) => ({ wallet: holder, subject }))

function groupByKind(events: readonly ShareEvent[]): EventsByKind {
  const kinds = { trades: [], transfers: [], launches: [], claims: [] } as {
    [Kind in keyof EventsByKind]: EventsByKind[Kind][number][]
  }
  for (const event of events) {
    if (event.kind === 'trade') kinds.trades.push(event)
    else if (event.kind === 'transfer') kinds.transfers.push(event)
    else if (event.kind === 'launch') kinds.launches.push(event)
    else kinds.claims.push(event)
  }
  return kinds
}

function sortEvents({ trades, transfers }: EventsByKind): ShareEvent[] {
  return [...trades, ...transfers].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

// Beyond this number, cached identities expire sooner than all instances could be notified of each.
const FORGOTTEN_AT_ONCE = 20

async function setLaunched(
  { identities, log, events }: SinkDeps,
  db: Db,
  direction: 'apply' | 'undo',
  launches: EventsByKind['launches'],
  { catchingUp }: { readonly catchingUp: boolean },
): Promise<void> {
  if (launches.length === 0) return
  const at = direction === 'apply' ? sql`to_timestamp(input.time)` : sql`null`
  const agents = await db.many<{ id: string }>(sql`
    update agent set launched_at = ${at}
    from unnest(${launches.map((launch) => launch.subject)}::text[], ${launches.map((launch) => launch.time)}::double precision[])
      as input (subject, time)
    where agent.subject = input.subject returning agent.id`)
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
