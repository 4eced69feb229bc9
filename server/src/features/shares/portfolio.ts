import type { PortfolioRange } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { sellPriceWei } from './figures.js'
import { supplyAt } from './past-supply.js'
import { listMoves, openPosition, type Position, type Profit, type WalletMove } from './profit.js'

/** All shares of a wallet at one time. */
export interface PortfolioState extends Profit {
  readonly at: Date
  readonly positions: number
  readonly valueWei: bigint
  /** Everything that the wallet had paid for shares until then. */
  readonly paidWei: bigint
}

const DAY_MS = 86_400_000
const spans: Readonly<Record<PortfolioRange, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
}
const MOST_STEPS = 96
const FEWEST_STEPS = 12
// Each point looks up the supply of each agent whose shares the wallet held then.
const MOST_LOOKUPS = 20_000
const SHORTEST_STEP_MS = 1000

/** The shares of a wallet now, and a day ago. */
export async function readPortfolio(
  db: Db,
  wallet: string,
  now: Date,
): Promise<{ now: PortfolioState; dayAgo: PortfolioState }> {
  const moves = await listMoves(db, wallet)
  const [dayAgo, last] = await readStates(db, moves, [new Date(now.getTime() - DAY_MS), endOf(moves, now)])
  if (!dayAgo || !last) throw new Error('there is a state for each time')
  return { now: last, dayAgo }
}

/** The shares of a wallet over time, oldest first. The last state is the present one. */
export async function listPortfolioStates(
  db: Db,
  wallet: string,
  { range, now }: { range: PortfolioRange; now: Date },
): Promise<PortfolioState[]> {
  const moves = await listMoves(db, wallet)
  const first = moves[0]
  if (!first) return []
  const end = endOf(moves, now).getTime()
  const start = Math.max(first.at.getTime(), end - spans[range])
  const agents = new Set(moves.map((move) => move.subject)).size
  const most = Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, Math.floor(MOST_LOOKUPS / agents)))
  const steps = Math.max(1, Math.min(most, Math.floor((end - start) / SHORTEST_STEP_MS)))
  const times = Array.from({ length: steps + 1 }, (_, i) => new Date(start + Math.round(((end - start) * i) / steps)))
  return readStates(db, moves, times)
}

// A block may be a little ahead of this machine’s clock.
function endOf(moves: readonly WalletMove[], now: Date): Date {
  return new Date(Math.max(now.getTime(), moves.at(-1)?.at.getTime() ?? 0))
}

/** The last of the times is the present: everything has happened by then. */
async function readStates(db: Db, moves: readonly WalletMove[], times: readonly Date[]): Promise<PortfolioState[]> {
  const states = replay(moves, times)
  const values = await findValues(db, states)
  return states.map(({ held, ...state }, i) => ({ ...state, positions: held.length, valueWei: values.get(i) ?? 0n }))
}

interface Replayed extends Omit<PortfolioState, 'valueWei' | 'positions'> {
  readonly held: readonly (readonly [subject: string, amount: number])[]
}

function replay(moves: readonly WalletMove[], times: readonly Date[]): Replayed[] {
  const positions = new Map<string, Position>()
  let paidWei = 0n
  let next = 0
  return times.map((at) => {
    for (let move = moves[next]; move && move.at <= at; move = moves[++next]) {
      const position = positions.get(move.subject) ?? openPosition()
      positions.set(move.subject, position)
      position.apply(move)
      if (move.kind === 'bought') paidWei += move.paidWei
    }
    return { at, paidWei, ...sumOf(positions) }
  })
}

function sumOf(positions: ReadonlyMap<string, Position>) {
  const held: [string, number][] = []
  let costBasisWei = 0n
  let realisedWei = 0n
  for (const [subject, position] of positions) {
    if (position.amount > 0) held.push([subject, position.amount])
    costBasisWei += position.costBasisWei
    realisedWei += position.realisedWei
  }
  return { held, costBasisWei, realisedWei }
}

/** What selling the shares held would have paid at each time, by the number of the state. */
async function findValues(db: Db, states: readonly Replayed[]): Promise<Map<number, bigint>> {
  const rows = states.flatMap(({ at, held }, i) => held.map(([subject, amount]) => ({ i, subject, amount, at })))
  if (rows.length === 0) return new Map()
  const last = states.length - 1
  // Without `offset 0` the lookup would be repeated wherever the price mentions the supply.
  const values = await db.many<{ i: number; value_wei: string }>(sql`
    select input.i, sum(${sellPriceWei(sql`past.supply`, sql`input.amount`)})::numeric(78, 0) as value_wei
    from unnest(${rows.map(({ i }) => i)}::int[], ${rows.map(({ subject }) => subject)}::text[],
      ${rows.map(({ amount }) => amount)}::int[], ${rows.map(({ at }) => at)}::timestamptz[])
      as input (i, subject, amount, at)
    cross join lateral (
      select ${supplyAt(sql`input.subject`, sql`(case when input.i = ${last} then 'infinity' else input.at end)`)} as supply
      offset 0) past
    group by input.i`)
  return new Map(values.map(({ i, value_wei }) => [i, BigInt(value_wei)]))
}
