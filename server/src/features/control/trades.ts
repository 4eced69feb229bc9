import type { ShareQuote, UnsignedTransaction } from '@rookery/api'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import { Problem } from '../../base/problem.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import { whileAdmitted } from '../../foundation/callers/admitted.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { getAgent } from '../agents/queries.js'
import { quoteAt, readShares } from '../shares/supply.js'
import type { ApprovalRow, WaitingTrade } from './approval-row.js'
import { findApprovalOf, lockApproval, requestApproval } from './approvals.js'
import {
  type AgentCall,
  actionOf,
  auditFields,
  type GateDeps,
  type GovernedCall,
  requireAllowed,
  requireNotFrozen,
  type Work,
} from './governed.js'
import { insertPreparedTrade } from './prepared-trades.js'
import { chargeTrade, getRules } from './rules.js'
import { hasTradeRules } from './trade-rules.js'
import type { PreparedTrade } from './traded-today.js'

/** The input of the endpoints that prepare trades and transfers, as far as the rules need it. */
interface TradeInput {
  readonly side?: 'buy' | 'sell'
  readonly sharesSubject?: string
  readonly agentId?: string
  readonly amount: number
  readonly to?: string
  readonly walletAddress?: string
  readonly approvalId?: string
}

/** Their answer, as far as the rules need it. */
interface Prepared
  extends Partial<Pick<ShareQuote, 'limitPriceWei' | 'priceWei' | 'transactionValueWei' | 'expiresAt'>> {
  readonly blockNumber: number | null
  readonly summary: string
  readonly transaction?: UnsignedTransaction
}

/**
 * Prepares a trade or transfer under the rules. The rules apply only to answers with a transaction: anyone may read a
 * price.
 */
export async function tradeUnderRules(deps: GateDeps, call: GovernedCall, input: object, work: Work): Promise<unknown> {
  const wanted = input as TradeInput
  if (wanted.walletAddress === undefined) return work(deps.db)
  const { agent } = call
  await requireOwnWallet(deps.db, call, wanted.walletAddress.toLowerCase())
  if (!agent) return prepareForOwner(deps, call, wanted, work)
  requireNotFrozen(agent)
  requireAllowed(agent, actionOf(call.endpoint, input))
  const prepared = (await work(deps.db)) as Prepared
  if (!prepared.transaction) return prepared
  return releaseTransaction(deps, { ...call, agent }, wanted, prepared)
}

/**
 * Remembers what is prepared for the owner of the wallet's agent, so that the owner's own trade is not taken for one
 * outside the rules. It counts against no cap.
 */
async function prepareForOwner(
  deps: GateDeps,
  { owner, admitted }: GovernedCall,
  input: TradeInput,
  work: Work,
): Promise<unknown> {
  const prepared = (await work(deps.db)) as Prepared
  if (!owner || !prepared.transaction) return prepared
  const agent = await deps.db.find<Row<'agent', 'id'>>(sql`
    select id from agent where x_id = ${owner.xId} and wallet_address = ${input.walletAddress?.toLowerCase()}`)
  if (!agent) return prepared
  const trade = chargeOf(deps, await tradeOf(deps, undefined, input, prepared), prepared)
  await whileAdmitted(deps.db, admitted).transaction((db) =>
    insertPreparedTrade(db, deps, agent.id, trade, { isOwners: true }),
  )
  return prepared
}

/**
 * Prepares nothing for the wallet of an agent with trading rules except for that agent, for its owner, and for agents of
 * the same owner. Anyone can ask on behalf of another wallet and sign the same call with this one; such a trade is found
 * on the chain (`watch-trades.ts`).
 */
async function requireOwnWallet(db: Db, { agent, owner }: GovernedCall, wallet: string): Promise<void> {
  const governed = await db.many<{ isMine: boolean }>(sql`
    select coalesce(x_id = coalesce(${owner?.xId ?? null}, (
      select caller.x_id from agent caller where caller.id = ${agent?.id ?? null} and caller.wallet_address = ${wallet})),
      false) as "isMine"
    from agent join agent_control on agent_control.agent_id = agent.id
    where wallet_address = ${wallet} and agent.id is distinct from ${agent?.id ?? null}
      and ${hasTradeRules}`)
  if (!governed.every(({ isMine }) => isMine)) throw new Problem('WALLET_GOVERNED')
}

async function releaseTransaction(
  deps: GateDeps,
  call: AgentCall,
  input: TradeInput,
  prepared: Prepared,
): Promise<unknown> {
  const trade = await tradeOf(deps, call.agent, input, prepared)
  const { worthWei } = trade
  const { approveTradesAboveWei } = await getRules(deps.db, deps, call.agent.id)
  const needsApproval = approveTradesAboveWei !== null && worthWei > approveTradesAboveWei
  if (needsApproval && input.approvalId === undefined) {
    await refuseOverCaps(deps, call, chargeOf(deps, trade, prepared))
    const { transaction: _, transactionValueWei: __, ...quote } = prepared
    return { ...quote, approval: await findOrRequestApproval(deps, call, input, prepared.summary, trade) }
  }
  await deps.db.transaction(async (db) => {
    if (input.approvalId !== undefined) await spendApproval(db, deps, call, input.approvalId, trade)
    const charge = chargeOf(deps, trade, prepared)
    const { approvalId } = input
    await chargeTrade(db, deps, call.agent.id, approvalId === undefined ? charge : { ...charge, approvalId })
    await recordAudit(db, deps, {
      ...auditFields(call),
      agentId: call.agent.id,
      target: trade.waiting.sharesSubject,
      summary: prepared.summary,
    })
  })
  return prepared
}

interface Trade {
  readonly waiting: WaitingTrade
  /** The maximum cost of a purchase, or the value on the curve of shares that are sold or given away. */
  readonly worthWei: bigint
}

async function tradeOf(
  deps: GateDeps,
  caller: AgentIdentity | undefined,
  input: TradeInput,
  prepared: Prepared,
): Promise<Trade> {
  const agent = await getAgent(deps.db, input.sharesSubject ?? input.agentId ?? '', caller)
  const side = input.side ?? null
  const waiting: WaitingTrade = {
    side,
    sharesSubject: agent.subject,
    amount: input.amount,
    to: (input.to?.toLowerCase() ?? null) as `0x${string}` | null,
    walletAddress: input.walletAddress?.toLowerCase() as `0x${string}`,
  }
  if (side === 'buy') return { waiting, worthWei: BigInt(prepared.limitPriceWei ?? 0) }
  if (side === 'sell') return { waiting, worthWei: BigInt(prepared.priceWei ?? 0) }
  const { supply } = await readShares(deps, agent)
  return { waiting, worthWei: quoteAt('sell', Math.max(supply, input.amount), input.amount).priceWei }
}

/** What counts against the caps until the chain has it, or would refuse it. */
function chargeOf({ clock }: GateDeps, { waiting, worthWei }: Trade, prepared: Prepared): PreparedTrade {
  const { side, sharesSubject: subject, amount, to: receiver, walletAddress: wallet } = waiting
  const block = prepared.blockNumber ?? 0
  const expiresAt = prepared.expiresAt === undefined ? null : new Date(prepared.expiresAt)
  return {
    wallet,
    subject,
    side: side ?? 'transfer',
    amount,
    receiver,
    worthWei,
    block,
    createdAt: clock.now(),
    expiresAt,
  }
}

/** Refuses a trade above the caps, for which an approval would be useless. Charges the trade and rolls the charge back. */
async function refuseOverCaps(deps: GateDeps, call: AgentCall, charge: PreparedTrade): Promise<void> {
  const undo = new Error('trial only')
  await deps.db
    .transaction(async (db) => {
      await chargeTrade(db, deps, call.agent.id, charge)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
}

async function findOrRequestApproval(
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
