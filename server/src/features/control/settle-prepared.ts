import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { WalletMovement } from './outside-trades.js'
import { KEPT_MS } from './prepared-trades.js'

/** A prepared transaction that happened. */
export interface SettledTransaction {
  readonly agentId: string
  /**
   * What a purchase cost on the chain; what a transfer was worth when it was prepared. A sale, which has no upper limit,
   * counts no more than when it was prepared: others can raise its price before it is mined.
   */
  readonly worthWei: bigint
  /** Whether its owner approved it at this price or a higher one. */
  readonly isApproved: boolean
  readonly isOwners: boolean
  readonly createdAt: Date
}

type SettledRow = Row<'prepared_trade', 'agent_id' | 'approval_id' | 'worth_wei' | 'is_owners' | 'created_at'> & {
  readonly settled_wei: string
}

/**
 * Finds the prepared transaction that became a trade or transfer, and marks it: one that is signed and sent twice was
 * prepared only once. Only what was prepared for an agent of the wallet itself counts, first for one that has rules.
 */
export async function settlePrepared(db: Db, movement: WalletMovement): Promise<SettledTransaction | undefined> {
  const { id, wallet, subject, side, amount, receiver, worthWei, at } = movement
  const row = await db.find<SettledRow>(sql`
    update prepared_trade set settled_by = ${id}, settled_at = greatest(${at}::timestamptz, created_at),
      settled_wei = case when side = 'sell' then least(${worthWei?.toString() ?? null}::numeric, worth_wei)
        else coalesce(${worthWei?.toString() ?? null}::numeric, worth_wei) end
    where id = (
      select prepared.id from prepared_trade prepared
      join agent on agent.id = prepared.agent_id and agent.wallet_address = prepared.wallet
      where prepared.wallet = ${wallet} and prepared.subject = ${subject} and prepared.settled_by is null and side = ${side}
        and amount = ${amount} and receiver is not distinct from ${receiver} and (expires_at is null or expires_at >= ${at})
      order by is_owners desc, exists (select from trade_rule where trade_rule.agent_id = prepared.agent_id) desc,
        expires_at, prepared.created_at limit 1)
    returning agent_id, settled_wei, worth_wei, approval_id, is_owners, created_at`)
  return (
    row && {
      agentId: row.agent_id,
      worthWei: BigInt(row.settled_wei),
      isApproved: row.approval_id !== null && BigInt(row.settled_wei) <= BigInt(row.worth_wei),
      isOwners: row.is_owners,
      createdAt: row.created_at,
    }
  )
}

/** Sums up what an agent's prepared transactions came to on a day (UTC). */
export async function countSettled(db: Db, agentId: string, day: string): Promise<bigint> {
  const start = new Date(`${day}T00:00:00.000Z`)
  const end = new Date(start.getTime() + 24 * 60 * 60_000)
  const { wei } = await db.one<{ wei: string }>(sql`
    select coalesce(sum(settled_wei), 0)::text as wei from prepared_trade
    where agent_id = ${agentId} and created_at >= ${new Date(start.getTime() - KEPT_MS)} and not is_owners
      and settled_at >= ${start} and settled_at < ${end}`)
  return BigInt(wei)
}

/** Makes transactions open again whose trades a reorganisation of the chain has removed: they may be mined once more. */
export async function reopenPrepared(db: Db, tradeIds: readonly string[]): Promise<void> {
  await db.run(sql`
    update prepared_trade set settled_by = null, settled_at = null, settled_wei = null
    where settled_by = any(${tradeIds}::uuid[])`)
}
