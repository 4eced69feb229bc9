import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

/** A change of a wallet's holding of one agent's shares. */
export interface Move {
  readonly kind: 'bought' | 'sold' | 'received' | 'sent'
  readonly amount: number
  /** Paid for a buy, or received for a sale, with fees; nothing for a transfer. */
  readonly paidWei: bigint
}

/** A wallet's gain or loss with the shares of one agent. */
export interface Profit {
  readonly costBasisWei: bigint
  readonly realisedWei: bigint
}

interface Lot {
  amount: number
  costWei: bigint
}

/** First in, first out. Received shares have no cost; sending shares realises neither gain nor loss. */
function profitOf(moves: readonly Move[]): Profit {
  const lots: Lot[] = []
  let realisedWei = 0n
  for (const { kind, amount, paidWei } of moves) {
    if (kind === 'bought' || kind === 'received') lots.push({ amount, costWei: paidWei })
    else {
      const costWei = takeFirst(lots, amount)
      if (kind === 'sold') realisedWei += paidWei - costWei
    }
  }
  return { costBasisWei: lots.reduce((sum, lot) => sum + lot.costWei, 0n), realisedWei }
}

/** Removes shares from the oldest lots and returns their cost. */
function takeFirst(lots: Lot[], amount: number): bigint {
  let left = amount
  let costWei = 0n
  while (left > 0) {
    const lot = lots[0]
    if (!lot) break
    const taken = Math.min(left, lot.amount)
    const part = (lot.costWei * BigInt(taken)) / BigInt(lot.amount)
    costWei += part
    left -= taken
    if (taken === lot.amount) lots.shift()
    else {
      lot.amount -= taken
      lot.costWei -= part
    }
  }
  return costWei
}

type MoveRow = Row<'trade', 'subject' | 'amount'> & { readonly kind: Move['kind']; readonly paid_wei: string }

/** Profits of a wallet with the shares of these agents, by subject. */
export async function findProfits(db: Db, wallet: string, subjects: readonly string[]): Promise<Map<string, Profit>> {
  if (subjects.length === 0) return new Map()
  const rows = await db.many<MoveRow>(sql`
    select subject, kind, amount, paid_wei from (
      select position, subject, case when is_buy then 'bought' else 'sold' end as kind, amount,
        case when is_buy then price_wei + protocol_fee_wei + subject_fee_wei
          else price_wei - protocol_fee_wei - subject_fee_wei end as paid_wei
      from trade where trader = ${wallet} and subject = any(${subjects}::text[])
      union all
      select position, subject, 'received', amount, 0 from share_transfer
      where receiver = ${wallet} and subject = any(${subjects}::text[])
      union all
      select position, subject, 'sent', amount, 0 from share_transfer
      where sender = ${wallet} and subject = any(${subjects}::text[])
    ) move order by position`)
  const moves = new Map<string, Move[]>(subjects.map((subject) => [subject, []]))
  for (const { subject, kind, amount, paid_wei } of rows)
    moves.get(subject)?.push({ kind, amount, paidWei: BigInt(paid_wei) })
  return new Map([...moves].map(([subject, list]) => [subject, profitOf(list)]))
}
