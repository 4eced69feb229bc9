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

/** The shares of one agent in a wallet, as its moves change them. */
export interface Position extends Profit {
  readonly amount: number
  apply(move: Move): void
}

/** First in, first out. Received shares have no cost; sending shares realises neither gain nor loss. */
export function openPosition(): Position {
  const lots: Lot[] = []
  let amount = 0
  let costBasisWei = 0n
  let realisedWei = 0n
  return {
    get amount() {
      return amount
    },
    get costBasisWei() {
      return costBasisWei
    },
    get realisedWei() {
      return realisedWei
    },
    apply(move) {
      if (move.kind === 'bought' || move.kind === 'received') {
        lots.push({ amount: move.amount, costWei: move.paidWei })
        amount += move.amount
        costBasisWei += move.paidWei
      } else {
        const costWei = takeFirst(lots, move.amount)
        amount -= move.amount
        costBasisWei -= costWei
        if (move.kind === 'sold') realisedWei += move.paidWei - costWei
      }
    },
  }
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

/** A move with its agent and time. */
export interface WalletMove extends Move {
  readonly subject: string
  readonly at: Date
}

type MoveRow = Row<'trade', 'subject' | 'amount' | 'at'> & { readonly kind: Move['kind']; readonly paid_wei: string }

/** What a wallet did with the shares of these agents, or of all agents, oldest first. */
export async function listMoves(db: Db, wallet: string, subjects?: readonly string[]): Promise<WalletMove[]> {
  const ofAgents =
    subjects === undefined
      ? sql`exists (select 1 from agent where agent.subject = move.subject)`
      : sql`subject = any(${subjects}::text[])`
  const rows = await db.many<MoveRow>(sql`
    select subject, at, kind, amount, paid_wei from (
      select position, at, subject, case when is_buy then 'bought' else 'sold' end as kind, amount,
        case when is_buy then price_wei + protocol_fee_wei + subject_fee_wei
          else price_wei - protocol_fee_wei - subject_fee_wei end as paid_wei
      from trade where trader = ${wallet}
      union all
      select position, at, subject, 'received', amount, 0 from share_transfer where receiver = ${wallet}
      union all
      select position, at, subject, 'sent', amount, 0 from share_transfer where sender = ${wallet}
    ) move where ${ofAgents} order by position`)
  return rows.map(({ paid_wei, ...move }) => ({ ...move, paidWei: BigInt(paid_wei) }))
}

/** Profits of a wallet with the shares of these agents, by subject. */
export async function findProfits(db: Db, wallet: string, subjects: readonly string[]): Promise<Map<string, Profit>> {
  if (subjects.length === 0) return new Map()
  const positions = new Map(subjects.map((subject) => [subject, openPosition()]))
  for (const move of await listMoves(db, wallet, subjects)) positions.get(move.subject)?.apply(move)
  return positions
}
