import type { PortfolioRange } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { fillCosts } from './costs.js'
import { sellPriceWei } from './figures.js'
import { supplyAt } from './past-supply.js'
import type { Profit } from './profit.js'

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
  const traded = await listTraded(db, wallet)
  const times = [new Date(now.getTime() - DAY_MS), endOf(traded, now)]
  const [dayAgo, last] = await readStates(db, wallet, traded, times)
  if (!dayAgo || !last) throw new Error('there is a state for each time')
  return { now: last, dayAgo }
}

/** The shares of a wallet over time, oldest first. The last state is the present one. */
export async function listPortfolioStates(
  db: Db,
  wallet: string,
  { range, now }: { range: PortfolioRange; now: Date },
): Promise<PortfolioState[]> {
  const traded = await listTraded(db, wallet)
  if (traded.length === 0) return []
  const end = endOf(traded, now).getTime()
  const first = Math.min(...traded.map(({ first_at }) => first_at.getTime()))
  const start = Math.max(first, end - spans[range])
  const most = Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, Math.floor(MOST_LOOKUPS / traded.length)))
  const steps = Math.max(1, Math.min(most, Math.floor((end - start) / SHORTEST_STEP_MS)))
  const times = Array.from({ length: steps + 1 }, (_, i) => new Date(start + Math.round(((end - start) * i) / steps)))
  return readStates(db, wallet, traded, times)
}

/** An agent whose shares a wallet has or had. */
interface Traded {
  readonly subject: string
  readonly first_at: Date
  readonly last_at: Date
}

/** Finds the agents whose shares a wallet has or had, each by a few steps in indexes. */
async function listTraded(db: Db, wallet: string): Promise<Traded[]> {
  const found = await db.many<{ [Name in keyof Traded]: Name extends 'subject' ? string : Date | null }>(
    tradedQuery(wallet),
  )
  const missing = found.filter(({ first_at }) => first_at === null)
  if (missing.length === 0) return found as Traded[]
  // An earlier release has stored its moves, and the background has not come to them yet.
  await fillCosts(
    db,
    missing.map(({ subject }) => ({ wallet, subject })),
  )
  return db.many<Traded>(tradedQuery(wallet))
}

export function tradedQuery(wallet: string): Sql {
  const ofPair = sql`from share_cost where wallet = ${wallet} and share_cost.subject = traded.subject`
  return sql`
    select subject, (select at ${ofPair} order by at, position limit 1) as first_at,
      (select at ${ofPair} order by at desc, position desc limit 1) as last_at
    from (${subjectsIn(sql`trade`, sql`trader`, wallet)} union ${subjectsIn(sql`share_transfer`, sql`receiver`, wallet)}) traded
    where exists (select from agent where agent.subject = traded.subject)`
}

// From one subject to the next in the index, however many moves each has.
const subjectsIn = (table: Sql, column: Sql, wallet: string) => sql`(
  with recursive one as (
    (select subject from ${table} where ${column} = ${wallet} order by subject limit 1)
    union all
    select (select subject from ${table} where ${column} = ${wallet} and subject > one.subject order by subject limit 1)
    from one where one.subject is not null
  ) select subject from one where subject is not null)`

// A block may be a little ahead of this machine’s clock.
function endOf(traded: readonly Traded[], now: Date): Date {
  return new Date(Math.max(now.getTime(), ...traded.map(({ last_at }) => last_at.getTime())))
}

type StateRow = Record<'cost_wei' | 'realised_wei' | 'paid_wei' | 'value_wei', string> & {
  i: number
  positions: number
}

/** The last of the times is the present: everything has happened by then. */
async function readStates(
  db: Db,
  wallet: string,
  traded: readonly Traded[],
  times: readonly Date[],
): Promise<PortfolioState[]> {
  const rows = traded.length === 0 ? [] : await db.many<StateRow>(statesQuery(wallet, traded, times))
  const byTime = new Map(rows.map((row) => [row.i, row]))
  return times.map((at, i) => {
    const { positions = 0, cost_wei = 0, realised_wei = 0, paid_wei = 0, value_wei = 0 } = byTime.get(i) ?? {}
    return {
      at,
      positions,
      costBasisWei: BigInt(cost_wei),
      realisedWei: BigInt(realised_wei),
      paidWei: BigInt(paid_wei),
      valueWei: BigInt(value_wei),
    }
  })
}

/** What the shares cost, earned and would have sold for at each time, by its number. Reads one row for each agent and time. */
export function statesQuery(wallet: string, traded: readonly Pick<Traded, 'subject'>[], times: readonly Date[]): Sql {
  const ats = times.map((at, i) => (i === times.length - 1 ? 'infinity' : at.toISOString()))
  // Without `offset 0` the lookup would be repeated wherever the price mentions the supply.
  return sql`
    select (input.i - 1)::int as i, (count(*) filter (where cost.amount > 0))::int as positions,
      sum(cost.cost_wei)::numeric(78, 0) as cost_wei, sum(cost.realised_wei)::numeric(78, 0) as realised_wei,
      sum(cost.paid_wei)::numeric(78, 0) as paid_wei,
      coalesce(sum(${sellPriceWei(sql`past.supply`, sql`cost.amount`)}), 0)::numeric(78, 0) as value_wei
    from unnest(${ats}::timestamptz[]) with ordinality as input (at, i)
    cross join unnest(${traded.map(({ subject }) => subject)}::text[]) as traded (subject)
    cross join lateral (
      select amount, cost_wei, realised_wei, paid_wei from share_cost
      where wallet = ${wallet} and share_cost.subject = traded.subject and share_cost.at <= input.at
      order by share_cost.at desc, position desc limit 1) cost
    cross join lateral (
      select case when cost.amount > 0 then ${supplyAt(sql`traded.subject`, sql`input.at`)} end as supply offset 0) past
    group by input.i`
}
