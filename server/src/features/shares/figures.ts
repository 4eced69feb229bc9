import { UNIT_WEI } from '@rookery/contracts'
import sql, { type Sql } from 'sql-template-tag'
import { LostLogs } from '../../foundation/chain/block-sink.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { logDifference, logSum, trendUpdate } from '../../foundation/trend.js'
import { dayMovesAt, daySupply } from './past-supply.js'
import type { PairChange, SubjectChange, Tally } from './tally.js'

/** Whether events are added or taken back. */
export type Direction = 'apply' | 'undo'

/** The price of the next share at a supply, in SQL. */
export function nextPriceWei(supply: Sql): Sql {
  return sql`(${supply}::numeric * ${supply} * ${UNIT_WEI.toString()}::numeric)`
}

/** The proceeds of selling `amount` shares at a supply, before fees, in SQL. */
export function sellPriceWei(supply: Sql, amount: Sql): Sql {
  const squaresBelow = (n: Sql) => sql`(${n}::numeric * (${n} - 1) * (2 * ${n}::numeric - 1))`
  const rest = sql`(${supply} - ${amount})`
  return sql`((${squaresBelow(supply)} - ${squaresBelow(rest)}) / 6 * ${UNIT_WEI.toString()}::numeric)`
}

/** A wallet's stored holding of an agent's shares; undefined when the wallet holds none. */
type Held = { readonly amount: number; readonly everBought: boolean } | undefined

/** The stored holding of each pair, in the order of the pairs. */
async function readHoldings(db: Db, pairs: readonly PairChange[]): Promise<Held[]> {
  const rows = await db.many<{ i: bigint } & Row<'share_holding', 'amount' | 'ever_bought'>>(sql`
    select i, amount, ever_bought from unnest(
      ${literal(pairs.map((pair) => pair.subject))}::text[], ${literal(pairs.map((pair) => pair.holder))}::text[])
      with ordinality as input (subject, holder, i)
    join share_holding using (subject, holder)`)
  const held = new Array<Held>(pairs.length)
  for (const { i, amount, ever_bought } of rows) held[Number(i) - 1] = { amount, everBought: ever_bought }
  return held
}

/** For each pair, whether a buy is stored. */
async function readBuys(db: Db, pairs: readonly PairChange[]): Promise<boolean[]> {
  const rows = await db.many<{ i: bigint }>(sql`
    select i from unnest(
      ${literal(pairs.map((pair) => pair.subject))}::text[], ${literal(pairs.map((pair) => pair.holder))}::text[])
      with ordinality as input (subject, holder, i)
    where exists (select 1 from trade where trade.trader = input.holder and trade.subject = input.subject and is_buy)`)
  const buys = new Array<boolean>(pairs.length).fill(false)
  for (const { i } of rows) buys[Number(i) - 1] = true
  return buys
}

/** Refuses changes that do not start from the stored balances. */
function requireBalances(pairs: readonly PairChange[], held: readonly Held[]): void {
  for (const [i, { subject, holder, before, block }] of pairs.entries()) {
    const stored = held[i]?.amount ?? 0
    if (stored !== before)
      throw new LostLogs(subject, block, `${holder} held ${stored} shares of ${subject}, not ${before}`)
  }
}

async function requireSupplies(db: Db, subjects: readonly SubjectChange[]): Promise<void> {
  const traded = subjects.filter((change) => change.before !== undefined)
  const rows = await db.many<Row<'trade', 'subject' | 'supply'>>(sql`
    select subject, last.supply from unnest(${literal(traded.map((change) => change.subject))}::text[]) as input (subject)
    cross join lateral (
      select supply from trade where trade.subject = input.subject order by at desc, position desc limit 1) last`)
  const supplies = new Map<string, number>(rows.map((row) => [row.subject, row.supply]))
  for (const { subject, before, block } of traded) {
    const supply = supplies.get(subject) ?? 0
    if (supply !== before) throw new LostLogs(subject, block, `the supply of ${subject} was ${supply}, not ${before}`)
  }
}

/** Which pairs have ever had a buy, and the number of agents whose shares each trader bought for the first time. */
export interface Purchases {
  readonly everBought: readonly boolean[]
  readonly newSubjects: ReadonlyMap<string, number>
}

/**
 * Reads the purchases before events are added.
 * @throws LostLogs when the events do not continue the stored balances and supplies
 */
export async function readBefore(db: Db, { pairs, subjects }: Tally): Promise<Purchases> {
  const held = await readHoldings(db, pairs)
  requireBalances(pairs, held)
  await requireSupplies(db, subjects)
  const opened = pairs.filter((_, i) => !held[i])
  const buys = await readBuys(db, opened)
  const boughtBefore = new Map(opened.map((pair, i) => [pair, buys[i] ?? false]))
  const before = pairs.map((pair, i) => held[i]?.everBought ?? boughtBefore.get(pair) ?? false)
  return countPurchases(pairs, before, (bought, ever) => bought || ever)
}

/** Reads the purchases that are left after events have been deleted. */
export async function readLeft(db: Db, { pairs }: Tally): Promise<Purchases> {
  return countPurchases(pairs, await readBuys(db, pairs), (_, ever) => ever)
}

function countPurchases(
  pairs: readonly PairChange[],
  without: readonly boolean[],
  everBought: (bought: boolean, without: boolean) => boolean,
): Purchases {
  const newSubjects = new Map<string, number>()
  for (const [i, { holder, bought }] of pairs.entries())
    if (bought && !without[i]) newSubjects.set(holder, (newSubjects.get(holder) ?? 0) + 1)
  return { everBought: pairs.map(({ bought }, i) => everBought(bought, without[i] ?? false)), newSubjects }
}

/** Updates every figure that is derived from events. */
export async function changeFigures(
  db: Db,
  direction: Direction,
  tally: Tally,
  { everBought, newSubjects, now }: Purchases & { readonly now: Date },
): Promise<void> {
  if (tally.pairs.length > 0) await setHoldings(db, direction, tally.pairs, everBought)
  if (tally.subjects.length > 0) await changeAgents(db, direction, tally, now)
  if (tally.traders.length > 0) await changeTraders(db, direction, tally, newSubjects)
  await markStaleValues(db, tally)
}

async function setHoldings(
  db: Db,
  direction: Direction,
  pairs: readonly PairChange[],
  everBought: readonly boolean[],
): Promise<void> {
  const targets = pairs.map(({ subject, holder, before, after }, i) => {
    return { subject, holder, amount: direction === 'apply' ? after : before, everBought: everBought[i] ?? false }
  })
  const kept = targets.filter((target) => target.amount > 0)
  const gone = targets.filter((target) => target.amount === 0)
  if (gone.length > 0)
    await db.run(sql`
      delete from share_holding using unnest(
        ${literal(gone.map((target) => target.subject))}::text[], ${literal(gone.map((target) => target.holder))}::text[])
        as input (subject, holder)
      where share_holding.subject = input.subject and share_holding.holder = input.holder`)
  if (kept.length > 0)
    await db.run(sql`
      insert into share_holding (subject, holder, amount, ever_bought)
      select * from unnest(${literal(kept.map((target) => target.subject))}::text[],
        ${literal(kept.map((target) => target.holder))}::text[],
        ${literal(kept.map((target) => target.amount))}::integer[],
        ${literal(kept.map((target) => target.everBought))}::boolean[])
      on conflict (subject, holder) do update set amount = excluded.amount, ever_bought = excluded.ever_bought`)
}

async function changeAgents(db: Db, direction: Direction, { subjects, pairs }: Tally, now: Date): Promise<void> {
  const sign = direction === 'apply' ? 1 : -1
  const holders = new Map<string, number>()
  for (const { subject, before, after } of pairs) {
    const change = Number(after > 0) - Number(before > 0)
    if (change !== 0) holders.set(subject, (holders.get(subject) ?? 0) + change * sign)
  }
  const supply = (change: SubjectChange) => (direction === 'apply' ? change.after : change.before) ?? null
  // All code that locks several agents locks them in the order of their ids, which prevents deadlocks.
  await db.run(sql`
    select id from agent where subject = any(${literal(subjects.map((change) => change.subject))}::text[])
    order by id for no key update`)
  await db.run(sql`
    update agent set
      supply = coalesce(input.supply, agent.supply),
      price_wei = ${nextPriceWei(sql`coalesce(input.supply, agent.supply)`)},
      holders_count = holders_count + input.holders,
      trades_count = trades_count + input.trades,
      volume_wei = volume_wei + input.volume,
      day_supply = ${daySupply(sql`input.subject`, sql`${now}::timestamptz`)},
      day_moves_at = ${dayMovesAt(sql`input.subject`, sql`${now}::timestamptz`)},
      version = agent.version + 1
    from unnest(${literal(subjects.map((change) => change.subject))}::text[],
      ${literal(subjects.map(supply))}::integer[],
      ${literal(subjects.map((change) => holders.get(change.subject) ?? 0))}::integer[],
      ${literal(subjects.map((change) => change.trades * sign))}::integer[],
      ${literal(subjects.map((change) => change.volumeWei * BigInt(sign)))}::numeric[])
      as input (subject, supply, holders, trades, volume)
    where agent.subject = input.subject`)
  const traded = subjects.filter((change) => change.trades > 0)
  const weights = sql`
    select agent.id as agent_id, input.weight from unnest(${literal(traded.map((change) => change.subject))}::text[],
      ${literal(traded.map((change) => change.trend))}::double precision[]) as input (subject, weight)
    join agent using (subject)`
  await db.run(trendUpdate(weights, direction === 'apply' ? logSum : logDifference))
  const trades = subjects.reduce((sum, change) => sum + change.trades, 0) * sign
  const volume = subjects.reduce((sum, change) => sum + change.volumeWei, 0n) * BigInt(sign)
  await db.run(sql`
    update trade_total set trades_count = trades_count + ${trades}, volume_wei = volume_wei + ${volume.toString()}`)
}

async function changeTraders(
  db: Db,
  direction: Direction,
  { traders }: Tally,
  newSubjects: ReadonlyMap<string, number>,
): Promise<void> {
  const changes = sql`unnest(${literal(traders.map((trader) => trader.address))}::text[],
    ${literal(traders.map((trader) => trader.volumeWei))}::numeric[],
    ${literal(traders.map((trader) => trader.trades))}::integer[],
    ${literal(traders.map((trader) => newSubjects.get(trader.address) ?? 0))}::integer[],
    ${literal(traders.map((trader) => trader.latestTime))}::double precision[]) as input (address, volume, trades, subjects, time)`
  if (direction === 'apply') {
    await db.run(sql`
      insert into trader (address, volume_wei, trades_count, subjects_count, latest_trade_at)
      select address, volume, trades, subjects, to_timestamp(time) from ${changes}
      on conflict (address) do update set
        volume_wei = trader.volume_wei + excluded.volume_wei,
        trades_count = trader.trades_count + excluded.trades_count,
        subjects_count = trader.subjects_count + excluded.subjects_count,
        latest_trade_at = excluded.latest_trade_at`)
    return
  }
  await db.run(sql`
    update trader set
      volume_wei = volume_wei - input.volume,
      trades_count = trades_count - input.trades,
      subjects_count = subjects_count - input.subjects,
      latest_trade_at = coalesce(
        (select at from trade where trade.trader = input.address order by position desc limit 1), latest_trade_at)
    from ${changes} where trader.address = input.address`)
  await db.run(sql`
    delete from trader where trades_count = 0 and address = any(${literal(traders.map((trader) => trader.address))}::text[])`)
}

// The value of a wallet's holdings changes when it trades, and when someone else's trade moves the price of its shares.
async function markStaleValues(db: Db, { pairs, subjects }: Tally): Promise<void> {
  const moved = subjects.filter((change) => change.before !== change.after)
  await db.run(sql`
    insert into stale_value (address, is_subject)
    select address, true from unnest(${literal(moved.map((change) => change.subject))}::text[]) as input (address)
    union
    select wallet_address, false from agent where wallet_address = any(${literal([...new Set(pairs.map((pair) => pair.holder))])}::text[])
    on conflict (address) do update set is_subject = excluded.is_subject`)
}
