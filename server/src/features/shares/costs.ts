import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { isComing, type Lot, type Move, openPosition, type Profit } from './profit.js'

/** A wallet, and the agent whose shares it has or had. */
export interface Pair {
  readonly wallet: string
  readonly subject: string
}

type CostRow = Row<'share_cost'>
interface PairMove extends Move {
  readonly i: number
  readonly at: Date
}

/** Adds the costs after all moves of these pairs that are stored and have none yet. Reads earlier moves only of new pairs. */
export async function addCosts(db: Db, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return
  // Whoever fills in old pairs meanwhile would add the same rows.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('share costs', 0))`)
  const lasts = await findLastCosts(db, pairs)
  const moves = new Map<number, PairMove[]>()
  for (const move of await listNewMoves(db, pairs, lasts)) moves.set(move.i, [...(moves.get(move.i) ?? []), move])
  const lots = await findLots(db, pairs, lasts, moves)
  await insertCosts(
    db,
    [...moves].flatMap(([i, moves]) => costsAfter(pairs[i] as Pair, lasts.get(i), lots.get(i) ?? [], moves)),
  )
}

const inputPairs = (pairs: readonly Pair[]) =>
  sql`unnest(${pairs.map(({ wallet }) => wallet)}::text[], ${pairs.map(({ subject }) => subject)}::text[])
    with ordinality as pair (wallet, subject, i)`

async function findLastCosts(db: Db, pairs: readonly Pair[]): Promise<Map<number, CostRow>> {
  const rows = await db.many<CostRow & { i: number }>(sql`
    select (pair.i - 1)::int as i, last.* from ${inputPairs(pairs)} cross join lateral (
      select * from share_cost where wallet = pair.wallet and subject = pair.subject order by position desc limit 1) last`)
  return new Map(rows.map((row) => [row.i, row]))
}

type MoveRow = Row<'trade', 'position' | 'amount' | 'at'> & { i: number; kind: Move['kind']; paid_wei: string }

async function listNewMoves(db: Db, pairs: readonly Pair[], lasts: ReadonlyMap<number, CostRow>): Promise<PairMove[]> {
  const after = pairs.map((_, i) => String(lasts.get(i)?.position ?? -1))
  const ofPair = sql`subject = pair.subject and position > pair.after`
  const rows = await db.many<MoveRow>(sql`
    select (pair.i - 1)::int as i, move.* from unnest(${pairs.map(({ wallet }) => wallet)}::text[],
      ${pairs.map(({ subject }) => subject)}::text[], ${after}::bigint[]) with ordinality as pair (wallet, subject, after, i)
    cross join lateral (
      select position, at, case when is_buy then 'bought' else 'sold' end as kind, amount,
        case when is_buy then price_wei + protocol_fee_wei + subject_fee_wei
          else price_wei - protocol_fee_wei - subject_fee_wei end as paid_wei
      from trade where trader = pair.wallet and ${ofPair}
      union all
      select position, at, 'received', amount, 0 from share_transfer where receiver = pair.wallet and ${ofPair}
      union all
      select position, at, 'sent', amount, 0 from share_transfer where sender = pair.wallet and ${ofPair}) move
    order by move.position`)
  return rows.map(({ i, position, paid_wei, ...move }) => ({
    ...move,
    i,
    position: BigInt(position),
    paidWei: BigInt(paid_wei),
  }))
}

/** The lots that the moves of each pair use up, oldest first, and one more. */
async function findLots(
  db: Db,
  pairs: readonly Pair[],
  lasts: ReadonlyMap<number, CostRow>,
  moves: ReadonlyMap<number, readonly PairMove[]>,
): Promise<Map<number, Lot[]>> {
  const lots = new Map<number, Lot[]>()
  const wanted: (Pair & { i: number; after: string; upTo: number })[] = []
  for (const [i, last] of lasts) {
    const left = sumOf((moves.get(i) ?? []).filter((move) => !isComing(move)))
    const { oldest_position: position, oldest_amount: amount, oldest_wei: wei } = last
    if (position === null || amount === null || wei === null) continue
    lots.set(i, [{ position: BigInt(position), amount, costWei: BigInt(wei) }])
    const upTo = last.came_in_all - last.amount + left
    if (left >= amount) wanted.push({ ...(pairs[i] as Pair), i, after: String(position), upTo })
  }
  if (wanted.length === 0) return lots
  const later = sql`wallet = pair.wallet and subject = pair.subject and position > pair.after`
  const rows = await db.many<Pick<CostRow, 'position' | 'came' | 'came_wei'> & { i: number }>(sql`
    select pair.i, lot.position, lot.came, lot.came_wei
    from unnest(${wanted.map(({ i }) => i)}::int[], ${wanted.map(({ wallet }) => wallet)}::text[],
      ${wanted.map(({ subject }) => subject)}::text[], ${wanted.map(({ after }) => after)}::bigint[],
      ${wanted.map(({ upTo }) => upTo)}::int[]) as pair (i, wallet, subject, after, up_to)
    cross join lateral (
      select position, came, came_wei from share_cost where ${later} and came > 0 and position <= coalesce(
        (select position from share_cost where ${later} and came_in_all > pair.up_to order by position limit 1),
        9223372036854775807)) lot
    order by lot.position`)
  for (const { i, position, came, came_wei } of rows)
    lots.get(i)?.push({ position: BigInt(position), amount: came, costWei: BigInt(came_wei) })
  return lots
}

const sumOf = (moves: readonly Move[]) => moves.reduce((sum, { amount }) => sum + amount, 0)

type NewCost = Pair &
  Profit & {
    readonly move: PairMove
    readonly cameInAll: number
    readonly amount: number
    readonly paidWei: bigint
    readonly oldest: Lot | undefined
  }

function costsAfter(
  pair: Pair,
  last: CostRow | undefined,
  lots: readonly Lot[],
  moves: readonly PairMove[],
): NewCost[] {
  const position = openPosition(
    last && {
      amount: last.amount,
      costBasisWei: BigInt(last.cost_wei),
      realisedWei: BigInt(last.realised_wei),
      lots,
    },
  )
  let cameInAll = last?.came_in_all ?? 0
  let paidWei = BigInt(last?.paid_wei ?? 0)
  return moves.map((move) => {
    position.apply(move)
    if (isComing(move)) cameInAll += move.amount
    if (move.kind === 'bought') paidWei += move.paidWei
    const { amount, costBasisWei, realisedWei, oldest } = position
    return { ...pair, move, cameInAll, paidWei, amount, costBasisWei, realisedWei, oldest }
  })
}

async function insertCosts(db: Db, costs: readonly NewCost[]): Promise<void> {
  if (costs.length === 0) return
  const came = ({ move }: NewCost) => (isComing(move) ? move : { amount: 0, paidWei: 0n })
  await db.run(sql`
    insert into share_cost (wallet, subject, position, at, came, came_wei, came_in_all, amount, cost_wei, realised_wei, paid_wei,
      oldest_position, oldest_amount, oldest_wei)
    select * from unnest(${costs.map(({ wallet }) => wallet)}::text[], ${costs.map(({ subject }) => subject)}::text[],
      ${costs.map(({ move }) => String(move.position))}::bigint[], ${costs.map(({ move }) => move.at)}::timestamptz[],
      ${costs.map((cost) => came(cost).amount)}::int[], ${costs.map((cost) => String(came(cost).paidWei))}::numeric[],
      ${costs.map(({ cameInAll }) => cameInAll)}::int[], ${costs.map(({ amount }) => amount)}::int[],
      ${costs.map(({ costBasisWei }) => String(costBasisWei))}::numeric[],
      ${costs.map(({ realisedWei }) => String(realisedWei))}::numeric[],
      ${costs.map(({ paidWei }) => String(paidWei))}::numeric[],
      ${costs.map(({ oldest }) => (oldest ? String(oldest.position) : null))}::bigint[],
      ${costs.map(({ oldest }) => oldest?.amount ?? null)}::int[],
      ${costs.map(({ oldest }) => (oldest ? String(oldest.costWei) : null))}::numeric[])`)
}

/** Removes the costs after moves that a reorganisation took back. */
export async function removeCosts(db: Db, pairs: readonly Pair[], from: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('share costs', 0))`)
  await db.run(sql`
    delete from share_cost using ${inputPairs(pairs)}
    where share_cost.wallet = pair.wallet and share_cost.subject = pair.subject and position >= ${from}`)
}

/** Profits of a wallet with the shares of these agents, by subject. */
export async function findProfits(db: Db, wallet: string, subjects: readonly string[]): Promise<Map<string, Profit>> {
  if (subjects.length === 0) return new Map()
  const pairs = subjects.map((subject) => ({ wallet, subject }))
  const found = await findLastCosts(db, pairs)
  const missing = pairs.filter((_, i) => !found.has(i))
  if (missing.length > 0) await db.transaction((db) => addCosts(db, missing))
  const costs = missing.length > 0 ? await findLastCosts(db, pairs) : found
  return new Map(
    subjects.map((subject, i) => {
      const { cost_wei = 0, realised_wei = 0 } = costs.get(i) ?? {}
      return [subject, { costBasisWei: BigInt(cost_wei), realisedWei: BigInt(realised_wei) }]
    }),
  )
}
