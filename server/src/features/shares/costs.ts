import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { isComing, type Lot, type Move, openPosition, type Profit } from './profit.js'

/** A wallet, and the agent whose shares it has or had. */
export interface Pair {
  readonly wallet: string
  readonly subject: string
}

/** What the last move left. */
type Last = Row<
  'share_cost',
  | 'came_in_all'
  | 'amount'
  | 'cost_wei'
  | 'realised_wei'
  | 'paid_wei'
  | 'oldest_position'
  | 'oldest_amount'
  | 'oldest_wei'
>
export interface PairMove extends Move {
  readonly at: Date
}
/** A pair with moves that have no costs yet, oldest first. */
interface Changed extends Pair {
  readonly last: Last | undefined
  readonly moves: PairMove[]
}

/** Moves that have just been stored, by their place in a list of pairs, and the position of the first. */
export interface NewMoves {
  readonly from: number
  readonly byPair: ReadonlyMap<number, readonly PairMove[]>
}

/**
 * Adds the costs after all moves of these pairs that are stored and have none yet. Reads earlier moves only of pairs without
 * any costs, and none of those that the caller has at hand. Call it while the follower cannot apply or undo blocks, or from
 * within that.
 */
export async function addCosts(db: Db, pairs: readonly Pair[], news?: NewMoves): Promise<void> {
  if (pairs.length === 0) return
  const changed = await listChanged(db, pairs, news)
  const lots = await findLots(db, changed)
  await insertCosts(
    db,
    changed.flatMap((pair, i) => costsAfter(pair, lots.get(i) ?? [])),
  )
}

/** Adds the costs of pairs whose moves an earlier release has stored. */
export function fillCosts(db: Db, pairs: readonly Pair[]): Promise<void> {
  return db.transaction(async (db) => {
    // The follower locks this row while it applies blocks, so no block is applied or undone in between.
    await db.run(sql`select 1 from chain_cursor for update`)
    await addCosts(db, pairs)
  })
}

const inputPairs = (pairs: readonly Pair[]) =>
  sql`unnest(${literal(pairs.map(({ wallet }) => wallet))}::text[], ${literal(pairs.map(({ subject }) => subject))}::text[])
    with ordinality as pair (wallet, subject, i)`

const lastOfPair = sql`
  select * from share_cost where wallet = pair.wallet and subject = pair.subject order by position desc limit 1`

type MoveRow = (
  | (Row<'trade', 'position' | 'at'> & Pick<Move, 'kind'> & { moved: number; moved_wei: string })
  | { readonly position: null }
) & { i: number } & (Last | { readonly came_in_all: null })

const END = 2n ** 63n - 1n

async function listChanged(db: Db, pairs: readonly Pair[], news?: NewMoves): Promise<Changed[]> {
  const ofPair = sql`subject = pair.subject and position > coalesce(last.position, -1) and position < ${news?.from ?? END}`
  const rows = await db.many<MoveRow>(sql`
    select (pair.i - 1)::int as i, move.*, last.came_in_all, last.amount, last.cost_wei, last.realised_wei, last.paid_wei,
      last.oldest_position, last.oldest_amount, last.oldest_wei
    from ${inputPairs(pairs)} left join lateral (${lastOfPair}) last on true left join lateral (
      select position, at, case when is_buy then 'bought' else 'sold' end as kind, amount as moved,
        case when is_buy then price_wei + protocol_fee_wei + subject_fee_wei
          else price_wei - protocol_fee_wei - subject_fee_wei end as moved_wei
      from trade where trader = pair.wallet and ${ofPair}
      union all
      select position, at, 'received', amount, 0 from share_transfer where receiver = pair.wallet and ${ofPair}
      union all
      select position, at, 'sent', amount, 0 from share_transfer where sender = pair.wallet and ${ofPair}) move on true
    order by move.position`)
  const changed = new Map<number, Changed>()
  for (const row of rows) {
    const pair = changed.get(row.i) ?? {
      ...(pairs[row.i] as Pair),
      last: row.came_in_all === null ? undefined : row,
      moves: [],
    }
    changed.set(row.i, pair)
    if (row.position === null) continue
    const { position, at, kind, moved, moved_wei } = row
    pair.moves.push({ position: BigInt(position), at, kind, amount: moved, paidWei: BigInt(moved_wei) })
  }
  for (const [i, moves] of news?.byPair ?? []) changed.get(i)?.moves.push(...moves)
  return [...changed.values()].filter(({ moves }) => moves.length > 0)
}

/** The lots that the moves of each pair use up, oldest first, and one more. */
async function findLots(db: Db, changed: readonly Changed[]): Promise<Map<number, Lot[]>> {
  const lots = new Map<number, Lot[]>()
  const wanted: (Pair & { i: number; after: string; upTo: number })[] = []
  for (const [i, { last, moves, ...pair }] of changed.entries()) {
    const { oldest_position: position = null, oldest_amount: amount = null, oldest_wei: wei = null } = last ?? {}
    if (!last || position === null || amount === null || wei === null) continue
    lots.set(i, [{ position: BigInt(position), amount, costWei: BigInt(wei) }])
    const left = sumOf(moves.filter((move) => !isComing(move)))
    const upTo = last.came_in_all - last.amount + left
    if (left >= amount) wanted.push({ ...pair, i, after: String(position), upTo })
  }
  if (wanted.length === 0) return lots
  const later = sql`wallet = pair.wallet and subject = pair.subject and position > pair.after`
  const rows = await db.many<Row<'share_cost', 'position' | 'came' | 'came_wei'> & { i: number }>(sql`
    select pair.i, lot.position, lot.came, lot.came_wei
    from unnest(${literal(wanted.map(({ i }) => i))}::int[], ${literal(wanted.map(({ wallet }) => wallet))}::text[],
      ${literal(wanted.map(({ subject }) => subject))}::text[], ${literal(wanted.map(({ after }) => after))}::bigint[],
      ${literal(wanted.map(({ upTo }) => upTo))}::int[]) as pair (i, wallet, subject, after, up_to)
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

function costsAfter({ last, moves, ...pair }: Changed, lots: readonly Lot[]): NewCost[] {
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
    select wallet, subject, position, to_timestamp(at), came, came_wei, came_in_all, amount, cost_wei, realised_wei, paid_wei,
      oldest_position, oldest_amount, oldest_wei
    from unnest(${literal(costs.map(({ wallet }) => wallet))}::text[], ${literal(costs.map(({ subject }) => subject))}::text[],
      ${literal(costs.map(({ move }) => move.position))}::bigint[],
      ${literal(costs.map(({ move }) => move.at.getTime() / 1000))}::double precision[],
      ${literal(costs.map((cost) => came(cost).amount))}::int[], ${literal(costs.map((cost) => came(cost).paidWei))}::numeric[],
      ${literal(costs.map(({ cameInAll }) => cameInAll))}::int[], ${literal(costs.map(({ amount }) => amount))}::int[],
      ${literal(costs.map(({ costBasisWei }) => costBasisWei))}::numeric[],
      ${literal(costs.map(({ realisedWei }) => realisedWei))}::numeric[],
      ${literal(costs.map(({ paidWei }) => paidWei))}::numeric[],
      ${literal(costs.map(({ oldest }) => oldest?.position ?? null))}::bigint[],
      ${literal(costs.map(({ oldest }) => oldest?.amount ?? null))}::int[],
      ${literal(costs.map(({ oldest }) => oldest?.costWei ?? null))}::numeric[])
      as input (wallet, subject, position, at, came, came_wei, came_in_all, amount, cost_wei, realised_wei, paid_wei,
        oldest_position, oldest_amount, oldest_wei)
    on conflict do nothing`)
}

/** Removes the costs after moves that a reorganisation took back. */
export async function removeCosts(db: Db, pairs: readonly Pair[], from: number): Promise<void> {
  await db.run(sql`
    delete from share_cost using ${inputPairs(pairs)}
    where share_cost.wallet = pair.wallet and share_cost.subject = pair.subject and position >= ${from}`)
}

/** Profits of a wallet with the shares of these agents, by subject. */
export async function findProfits(db: Db, wallet: string, subjects: readonly string[]): Promise<Map<string, Profit>> {
  if (subjects.length === 0) return new Map()
  const pairs = subjects.map((subject) => ({ wallet, subject }))
  const found = await findLasts(db, pairs)
  const missing = pairs.filter((_, i) => !found.has(i))
  if (missing.length > 0) await fillCosts(db, missing)
  const lasts = missing.length > 0 ? await findLasts(db, pairs) : found
  return new Map(
    subjects.map((subject, i) => {
      const { cost_wei = 0, realised_wei = 0 } = lasts.get(i) ?? {}
      return [subject, { costBasisWei: BigInt(cost_wei), realisedWei: BigInt(realised_wei) }]
    }),
  )
}

async function findLasts(db: Db, pairs: readonly Pair[]): Promise<Map<number, Last>> {
  const rows = await db.many<Last & { i: number }>(
    sql`select (pair.i - 1)::int as i, last.* from ${inputPairs(pairs)} cross join lateral (${lastOfPair}) last`,
  )
  return new Map(rows.map((row) => [row.i, row]))
}
