import type { ShareQuote, UnsignedTransaction } from '@rookery/api'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import { Problem } from '../../base/problem.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import { getAgent } from '../agents/queries.js'
import { quoteAt, readSupply } from '../shares/supply.js'
import type { ApprovalRow, WaitingTrade } from './approval-row.js'
import { findApprovalOf, lockApproval, requestApproval } from './approvals.js'
import {
  type AgentCall,
  actionOf,
  type GateDeps,
  type GovernedCall,
  lineOf,
  requireAllowed,
  requireFree,
  type Work,
} from './governed.js'
import { chargeTrade, getRules } from './rules.js'

/** What the endpoints that prepare trades and transfers take, as far as the rules go. */
interface TradeInput {
  readonly side?: 'buy' | 'sell'
  readonly sharesSubject?: string
  readonly agentId?: string
  readonly amount: number
  readonly to?: string
  readonly walletAddress?: string
  readonly approvalId?: string
}

/** What they answer with, as far as the rules go. */
interface Prepared extends Partial<Pick<ShareQuote, 'limitPrice' | 'price'>> {
  readonly summary: string
  readonly transaction?: UnsignedTransaction
}

/**
 * Prepares a trade or transfer under the rules. They hold for the transaction that is handed out: a price without one is
 * for everybody to read.
 */
export async function tradeUnderRules(deps: GateDeps, call: GovernedCall, input: object, work: Work): Promise<unknown> {
  const wanted = input as TradeInput
  if (wanted.walletAddress === undefined) return work(deps.db)
  const { agent } = call
  await requireOwnWallet(deps.db, call, wanted.walletAddress.toLowerCase())
  if (!agent) return work(deps.db)
  requireFree(agent)
  requireAllowed(agent, actionOf(call.endpoint, input))
  const prepared = (await work(deps.db)) as Prepared
  if (!prepared.transaction) return prepared
  return handOut(deps, { ...call, agent }, wanted, prepared)
}

/**
 * Neither leaving out the key nor another agent of the same wallet leads around the rules: the wallet of an agent under
 * rules for trades is served only to that agent, to its owner, and to agents of the same owner.
 */
async function requireOwnWallet(db: Db, { agent, owner }: GovernedCall, wallet: string): Promise<void> {
  const governed = await db.many<{ isMine: boolean }>(sql`
    select coalesce(x_id = coalesce(${owner?.xId ?? null}, (
      select caller.x_id from agent caller where caller.id = ${agent?.id ?? null} and caller.wallet_address = ${wallet})),
      false) as "isMine"
    from agent join agent_control on agent_control.agent_id = agent.id
    where wallet_address = ${wallet} and agent.id is distinct from ${agent?.id ?? null}
      and (frozen_at is not null or max_trade_wei is not null
        or max_daily_trade_wei is not null or approve_trades_above_wei is not null
        or not coalesce(allowed_actions @> array['trade', 'transfer'], true))`)
  if (!governed.every(({ isMine }) => isMine)) throw new Problem('WALLET_GOVERNED')
}

async function handOut(deps: GateDeps, call: AgentCall, input: TradeInput, prepared: Prepared): Promise<unknown> {
  const trade = await tradeOf(deps, call, input, prepared)
  const { worthWei } = trade
  const { approveTradesAboveWei } = await getRules(deps.db, deps, call.agent.id)
  const needsApproval = approveTradesAboveWei !== null && worthWei > approveTradesAboveWei
  if (needsApproval && input.approvalId === undefined) {
    await refuseOverCaps(deps, call, worthWei)
    const { transaction: _, ...told } = prepared
    return { ...told, approval: await ask(deps, call, input, prepared.summary, trade) }
  }
  await deps.db.transaction(async (db) => {
    if (input.approvalId !== undefined) await spendApproval(db, deps, call, input.approvalId, trade)
    await chargeTrade(db, deps, call.agent.id, worthWei)
    await recordAudit(db, deps, {
      ...lineOf(call),
      agentId: call.agent.id,
      target: trade.waiting.sharesSubject,
      summary: prepared.summary,
    })
  })
  return prepared
}

interface Trade {
  readonly waiting: WaitingTrade
  /** The most that a purchase costs; what shares that are sold or given away are worth on the curve. */
  readonly worthWei: bigint
}

async function tradeOf(deps: GateDeps, call: AgentCall, input: TradeInput, prepared: Prepared): Promise<Trade> {
  const agent = await getAgent(deps.db, input.sharesSubject ?? input.agentId ?? '', call.agent)
  const side = input.side ?? null
  const waiting: WaitingTrade = {
    side,
    sharesSubject: agent.subject,
    amount: input.amount,
    to: (input.to?.toLowerCase() ?? null) as `0x${string}` | null,
    walletAddress: input.walletAddress?.toLowerCase() as `0x${string}`,
  }
  if (side === 'buy') return { waiting, worthWei: BigInt(prepared.limitPrice ?? 0) }
  if (side === 'sell') return { waiting, worthWei: BigInt(prepared.price ?? 0) }
  const { supply } = await readSupply(deps, agent)
  return { waiting, worthWei: quoteAt('sell', Math.max(supply, input.amount), input.amount).priceWei }
}

/** What no approval could make possible is not put before the owner. Charged and undone. */
async function refuseOverCaps(deps: GateDeps, call: AgentCall, worthWei: bigint): Promise<void> {
  const undo = new Error('only tried')
  await deps.db
    .transaction(async (db) => {
      await chargeTrade(db, deps, call.agent.id, worthWei)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
}

async function ask(
  deps: GateDeps,
  call: AgentCall,
  input: TradeInput,
  summary: string,
  { waiting: trade, worthWei }: Trade,
): Promise<Pick<ApprovalRow, 'id' | 'status'>> {
  const action = actionOf(call.endpoint, input)
  const { id, status } =
    (await findApprovalOf(deps.db, deps, call.agent.id, action, trade)) ??
    (await requestApproval(deps, call, { action, summary, trade, worthWei }))
  return { id, status }
}

async function spendApproval(
  db: Db,
  deps: GateDeps,
  { agent }: AgentCall,
  id: string,
  { waiting, worthWei }: Trade,
): Promise<void> {
  const approval = await lockApproval(db, deps, agent.id, id)
  const now = deps.clock.now()
  if (approval.status !== 'approved' || approval.used_at !== null || approval.expires_at <= now)
    throw new Problem('APPROVAL_DECIDED', {
      message: `This approval is ${approval.used_at ? 'used' : approval.status.replace('_', ' ')}. Ask again without it.`,
    })
  if (!approval.trade || !isSame(approval.trade, waiting)) throw new Problem('APPROVAL_MISMATCH')
  const approvedWei = BigInt(approval.worth_wei ?? 0)
  if (waiting.side === 'buy' && worthWei > approvedWei)
    throw new Problem('APPROVAL_MISMATCH', {
      message:
        `It may now cost ${formatEther(worthWei)} BNB, and ${formatEther(approvedWei)} BNB were approved. ` +
        'Repeat with less slippage, or ask again without approvalId.',
    })
  await db.run(sql`update approval set used_at = ${now} where id = ${id}`)
}

function isSame(approved: WaitingTrade, wanted: WaitingTrade): boolean {
  const names = ['side', 'sharesSubject', 'amount', 'to', 'walletAddress'] as const
  return names.every((name) => approved[name] === wanted[name])
}
