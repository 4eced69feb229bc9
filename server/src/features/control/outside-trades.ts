import type { OutsideTrade } from '@rookery/api'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { countTradedToday } from './prepared-trades.js'
import { getRules } from './rules.js'
import type { Movement } from './traded-today.js'
import { controlsView } from './view.js'

/** A trade or transfer on the chain, by the wallet that made it. */
export interface WalletMovement extends Movement {
  readonly id: string
  readonly transactionHash: `0x${string}`
  readonly at: Date
  /** Null for a transfer. */
  readonly worthWei: bigint | null
}

/** Why a movement is outside the rules of an agent. */
export interface Breach {
  readonly agentId: string
  readonly reason: OutsideTrade['reason']
  readonly worthWei: bigint | null
}

type OutsideRow = Row<'outside_trade'>
type ReportDeps = Pick<Deps, 'clock' | 'ids' | 'events' | 'identities' | 'log'>

/**
 * Records a trade outside the rules, freezes the agent and informs it. Returns what to notify the agent of; undefined for
 * a trade that was reported before and that a reorganisation of the chain has only moved to another block.
 */
export async function reportBreach(
  db: Db,
  deps: ReportDeps,
  movement: WalletMovement,
  { agentId, reason, worthWei }: Breach,
): Promise<OutsideTrade | undefined> {
  const { id, transactionHash, wallet, subject, side, amount, receiver, at } = movement
  const row = await db.find<OutsideRow>(sql`
    insert into outside_trade (agent_id, id, transaction_hash, wallet, subject, side, amount, receiver, worth_wei, reason,
      traded_at, noticed_at)
    values (${agentId}, ${id}, decode(${transactionHash.slice(2)}, 'hex'), ${wallet}, ${subject}, ${side}, ${amount},
      ${receiver}, ${worthWei?.toString() ?? null}, ${reason}, ${at}, ${deps.clock.now()})
    on conflict (agent_id, id) do nothing returning *`)
  const what = await describe(db, movement)
  const entry = { agentId, actor: 'system', action: 'tradeOutsideRules', target: transactionHash } as const
  if (!row) {
    await db.run(sql`update outside_trade set reverted_at = null where agent_id = ${agentId} and id = ${id}`)
    await recordAudit(db, deps, { ...entry, summary: `In a block again: ${what}` })
    return undefined
  }
  const why = `its wallet ${what} outside the rules (${reasons[reason]})`
  await recordAudit(db, deps, { ...entry, summary: `The agent was frozen: ${why}` })
  const trade = outsideTradeView(row)
  await deps.events.append(db, [{ type: 'trade.outside', recipientId: agentId, data: trade }])
  await freeze(db, deps, agentId, why)
  return trade
}

const reasons = {
  not_prepared: 'it was not prepared here',
  frozen: 'the agent was frozen',
  not_allowed: 'the owner does not allow it',
  above_trade_cap: 'it was worth more than the owner allows for one trade',
  above_daily_cap: 'it was worth more than the owner allows a day',
  not_approved: 'the owner had not approved it',
} satisfies Record<OutsideTrade['reason'], string>

async function describe(db: Db, { side, amount, subject, receiver }: WalletMovement): Promise<string> {
  const agent = await db.find<Row<'agent', 'username'>>(sql`select username from agent where subject = ${subject}`)
  const verb = { buy: 'bought', sell: 'sold', transfer: 'transferred' }[side]
  const shares = `${amount} ${amount === 1 ? 'share' : 'shares'} of ${agent ? `@${agent.username}` : subject}`
  return `${verb} ${shares}${receiver === null ? '' : ` to ${receiver}`}`
}

async function freeze(db: Db, deps: ReportDeps, agentId: string, reason: string): Promise<void> {
  const now = deps.clock.now()
  const frozen = await db.run(sql`
    insert into agent_control (agent_id, frozen_at, frozen_reason, updated_at)
    values (${agentId}, ${now}, ${reason}, ${now})
    on conflict (agent_id) do update
      set frozen_at = excluded.frozen_at, frozen_reason = excluded.frozen_reason, updated_at = excluded.updated_at,
        version = agent_control.version + 1
      where agent_control.frozen_at is null`)
  if (frozen === 0) return
  const data = controlsView(agentId, await getRules(db, deps, agentId), await countTradedToday(db, deps, agentId))
  await deps.events.append(db, [{ type: 'agent.frozen', recipientId: agentId, data }])
  db.afterCommit(() => {
    deps.identities
      .endOlderCalls(agentId)
      .catch((error: Error) =>
        deps.log.warn({ message: error.message }, 'older calls of a frozen agent were not awaited'),
      )
  })
}

/** Records that a reorganisation of the chain has removed trades. Their agents stay frozen until their owners decide. */
export async function reportUndone(
  db: Db,
  deps: Pick<Deps, 'clock' | 'ids'>,
  tradeIds: readonly string[],
): Promise<void> {
  const rows = await db.many<Row<'outside_trade', 'agent_id' | 'transaction_hash'>>(sql`
    update outside_trade set reverted_at = ${deps.clock.now()}
    where id = any(${tradeIds}::uuid[]) and reverted_at is null returning agent_id, transaction_hash`)
  for (const { agent_id, transaction_hash } of rows)
    await recordAudit(db, deps, {
      agentId: agent_id,
      actor: 'system',
      action: 'tradeOutsideRules',
      target: `0x${transaction_hash.toString('hex')}`,
      summary:
        'A reorganisation of the chain removed the trade outside the rules. Its agent stays frozen until you unfreeze it.',
    })
}

/** Finds the last trade outside an agent's rules. */
export async function findLastOutsideTrade(db: Db, agentId: string): Promise<OutsideTrade | null> {
  const row = await db.find<OutsideRow>(sql`
    select * from outside_trade where agent_id = ${agentId} order by noticed_at desc, id desc limit 1`)
  return row ? outsideTradeView(row) : null
}

function outsideTradeView(row: OutsideRow): OutsideTrade {
  return {
    id: row.id,
    agentId: row.agent_id,
    transactionHash: `0x${row.transaction_hash.toString('hex')}`,
    walletAddress: row.wallet,
    side: row.side,
    sharesSubject: row.subject,
    amount: row.amount,
    to: row.receiver,
    worthBNB: row.worth_wei === null ? null : formatEther(BigInt(row.worth_wei)),
    reason: row.reason,
    tradedAt: row.traded_at.toISOString(),
    noticedAt: row.noticed_at.toISOString(),
    revertedAt: row.reverted_at?.toISOString() ?? null,
  }
}
