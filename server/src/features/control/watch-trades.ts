import sql from 'sql-template-tag'
import { dayOf } from '../../base/clock.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { OutsideNotice } from '../notifications/notify-trades.js'
import type { TradeEvent, TransferEvent } from '../shares/decode.js'
import { positionOf } from '../shares/event-rows.js'
import type { Movements, TradeWatch } from '../shares/trade-watch.js'
import { type Breach, reportBreach, reportUndone, type WalletMovement } from './outside-trades.js'
import { KEPT_MS } from './prepared-trades.js'
import { countSettled, reopenPrepared, type SettledTransaction, settlePrepared } from './settle-prepared.js'
import { findBreach, findTradeRules, listGoverned } from './trade-rules.js'

type WatchDeps = Pick<Deps, 'clock' | 'ids' | 'events' | 'identities' | 'log'>

/**
 * Compares what agents' wallets do on the chain with what was prepared for them. Whoever holds a wallet's key can sign any
 * transaction, so the gate alone cannot keep an agent to its owner's rules; a trade outside them is found here instead.
 */
export function createTradeWatch(deps: WatchDeps): TradeWatch {
  return {
    async applied(db, movements) {
      // What was prepared earlier than this may be deleted.
      const recent = toWalletMovements(movements, deps.clock.now().getTime() - KEPT_MS)
      if (recent.length === 0) return []
      const wallets = await listWatched(db, recent)
      const notices: OutsideNotice[] = []
      for (const movement of recent) {
        if (!wallets.has(movement.wallet)) continue
        for (const breach of await findBreaches(db, movement)) {
          const trade = await reportBreach(db, deps, movement, breach)
          if (trade) notices.push({ agentId: breach.agentId, trade })
        }
      }
      return notices
    },

    async undone(db, movements) {
      const ids = [...movements.trades, ...movements.transfers].map(({ id }) => id)
      if (ids.length === 0) return
      await reopenPrepared(db, ids)
      await reportUndone(db, deps, ids)
    },
  }
}

function toWalletMovements({ trades, transfers }: Movements, since: number): WalletMovement[] {
  return [...trades, ...transfers]
    .filter(({ time }) => time * 1000 >= since)
    .sort((a, b) => positionOf(a) - positionOf(b))
    .map(toWalletMovement)
}

function toWalletMovement(event: TradeEvent | TransferEvent): WalletMovement {
  const { id, transactionHash, subject, amount, time } = event
  const common = { id, transactionHash, subject, amount, at: new Date(time * 1000) }
  if (event.kind === 'transfer')
    return { ...common, side: 'transfer', wallet: event.sender, receiver: event.receiver, worthWei: null }
  const { isBuy, trader, priceWei, protocolFeeWei, subjectFeeWei } = event
  return {
    ...common,
    side: isBuy ? 'buy' : 'sell',
    wallet: trader,
    receiver: null,
    worthWei: isBuy ? priceWei + protocolFeeWei + subjectFeeWei : priceWei,
  }
}

/** The wallets whose movements matter: most traders have no agent with rules or prepared transactions. */
async function listWatched(db: Db, movements: readonly WalletMovement[]): Promise<Set<string>> {
  const wallets = [...new Set(movements.map(({ wallet }) => wallet))]
  const rows = await db.many<{ wallet_address: string }>(sql`
    select distinct wallet_address from agent
    where wallet_address = any(${wallets}::text[])
      and (exists (select from trade_rule where agent_id = agent.id) or exists (
        select from prepared_trade where wallet = agent.wallet_address and settled_by is null))`)
  return new Set(rows.map(({ wallet_address }) => wallet_address))
}

async function findBreaches(db: Db, movement: WalletMovement): Promise<Breach[]> {
  const prepared = await settlePrepared(db, movement)
  // What was prepared for an agent says nothing about the rules of other agents of the same wallet, who have other owners.
  const passedBy = await listGoverned(db, movement.wallet, movement.at, prepared?.agentId)
  return [
    ...passedBy.map((agentId) => ({ agentId, reason: 'not_prepared' as const, worthWei: movement.worthWei })),
    ...(prepared && !prepared.isOwners ? await findOwnBreach(db, movement, prepared) : []),
  ]
}

/** Whether a transaction breaks the rules of the agent that it was prepared for. */
async function findOwnBreach(db: Db, movement: WalletMovement, prepared: SettledTransaction): Promise<Breach[]> {
  const { agentId, worthWei } = prepared
  // A block may seem older than the preparation, which passed the rules of its time.
  const at = new Date(Math.max(movement.at.getTime(), prepared.createdAt.getTime()))
  const rules = await findTradeRules(db, agentId, at)
  const reason =
    rules &&
    (await findBreach(rules, {
      action: movement.side === 'transfer' ? 'transfer' : 'trade',
      worthWei,
      isApproved: prepared.isApproved,
      countDay: () => countSettled(db, agentId, dayOf(at)),
    }))
  return reason ? [{ agentId, reason, worthWei }] : []
}
