import type { Endpoints, Input, Output, ShareQuote, TransactionWarning } from '@rookery/api'
import { encodeBuy, encodeLaunch, encodeSell, encodeTransfer, type Quote, signLaunchPermit } from '@rookery/contracts'
import { type Address, type Hex, zeroAddress } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { AgentRow } from '../agents/queries.js'
import { type Draft, deadlineIn, type Prepared, type Purpose, prepareTransaction } from './prepare.js'
import { type QuoteReads, readSubject } from './quote-reads.js'
import { tradeSummary, transferSummary } from './summaries.js'
import { callChain, quoteAt, type ShareState } from './supply.js'

type QuoteDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'log' | 'operator' | 'config' | 'embeddedChain'>
type QuoteRequest = Input<Endpoints['getShareQuote']>
type TransferRequest = Input<Endpoints['getShareTransfer']>

const QUOTE_LIVES_MS = 60_000
const PERMIT_LIVES_MS = 10 * 60_000
const BPS = 10_000

/** Quotes a trade. With a wallet, the quote includes the transaction. */
export async function quoteTrade(
  deps: QuoteDeps,
  reads: QuoteReads,
  viewer: AgentIdentity | undefined,
  request: QuoteRequest,
): Promise<ShareQuote> {
  const wallet = request.walletAddress?.toLowerCase() as Address | undefined
  const { agent, shares } = await readSubject(deps, reads, identifierOf(request), { viewer, wallet })
  return quoteWith(deps, { agent, wallet, shares, request })
}

/** Prepares the transaction that sends shares to another wallet. */
export async function prepareTransfer(
  deps: QuoteDeps,
  reads: QuoteReads,
  viewer: AgentIdentity | undefined,
  request: TransferRequest,
): Promise<Output<Endpoints['getShareTransfer']>> {
  const { amount } = request
  const to = request.to.toLowerCase() as Address
  const from = request.walletAddress.toLowerCase() as Address
  const { agent, shares } = await readSubject(deps, reads, identifierOf(request), { viewer, wallet: from })
  if (shares.supply === 0) throw new Problem('INSUFFICIENT_SHARES_FOR_TRANSFER')
  if ([zeroAddress, deps.chain?.contract, agent.subject, from].includes(to)) throw new Problem('INVALID_TO_ADDRESS')
  requireShares({ agent, wallet: from, shares, amount, otherwise: 'INSUFFICIENT_SHARES_FOR_TRANSFER' })
  const data = encodeTransfer({ subject: agent.subject, to, amount: BigInt(amount) })
  const draft: Draft = { purpose: 'transfer', from, data, value: 0n }
  const prepared = await prepareTransaction(deps, shares.block, draft)
  return { blockNumber: blockNumberOf(shares), summary: transferSummary(agent, amount, to), ...prepared }
}

/** The block that an answer is based on. */
export function blockNumberOf({ block }: ShareState): number | null {
  return block?.number ?? null
}

function identifierOf({ sharesSubject, agentId }: Pick<QuoteRequest, 'sharesSubject' | 'agentId'>): string {
  const identifier = sharesSubject ?? agentId
  if (identifier === undefined) throw Problem.at('sharesSubject', 'or agentId must be given')
  return identifier
}

interface Trade {
  readonly agent: AgentRow
  readonly wallet: Address | undefined
  readonly shares: ShareState
  readonly request: QuoteRequest
}

async function quoteWith(deps: QuoteDeps, trade: Trade): Promise<ShareQuote> {
  const { agent, wallet, request } = trade
  const { side, amount, slippageBps = 100 } = request
  const { supply, block } = trade.shares
  const isLaunch = side === 'buy' && supply === 0
  // Without a wallet this is a price only, which anyone may read.
  if (isLaunch && wallet) requireLauncher(agent, wallet)
  if (side === 'sell') requireSaleable(trade)
  const quote = quoteAt(side, supply, amount)
  // Nobody else can trade before the launch, so its price cannot move.
  const limitWei = isLaunch ? quote.priceAfterFeeWei : limitOf(side, quote, slippageBps)
  const expiresAt = wallet
    ? deadlineIn(deps, block, isLaunch ? PERMIT_LIVES_MS : QUOTE_LIVES_MS)
    : new Date(deps.clock.now().getTime() + QUOTE_LIVES_MS)
  const prepared = wallet && (await prepareTrade(deps, { ...trade, wallet }, { limitWei, expiresAt }))
  return {
    side,
    sharesSubject: agent.subject,
    amount,
    supply,
    priceWei: quote.priceWei.toString(),
    protocolFeeWei: quote.protocolFeeWei.toString(),
    subjectFeeWei: quote.subjectFeeWei.toString(),
    priceAfterFeeWei: quote.priceAfterFeeWei.toString(),
    priceImpactBps: impactOf(supply, side === 'buy' ? supply + amount : supply - amount),
    slippageBps,
    limitPriceWei: limitWei.toString(),
    launch: isLaunch,
    blockNumber: blockNumberOf(trade.shares),
    expiresAt: expiresAt.toISOString(),
    summary: tradeSummary(agent, { purpose: purposeOf(trade), amount, quote, limitWei }),
    warnings: [...supplyWarnings(agent, supply), ...(prepared?.warnings ?? [])],
    ...(prepared && { transaction: prepared.transaction, transactionValueWei: prepared.transactionValueWei }),
  }
}

function purposeOf({ shares, request }: Trade): Purpose {
  return request.side === 'buy' && shares.supply === 0 ? 'launch' : request.side
}

function requireLauncher(agent: AgentRow, wallet: Address): void {
  if (wallet !== agent.wallet_address) throw new Problem('ONLY_SUBJECT_CAN_BUY_FIRST_SHARE')
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  if (agent.status !== 'active') throw new Problem('AGENT_NOT_VERIFIED')
}

function requireSaleable({ agent, wallet, shares, request: { amount } }: Trade): void {
  if (amount > shares.supply) throw new Problem('INSUFFICIENT_SUPPLY')
  if (wallet) requireShares({ agent, wallet, shares, amount, otherwise: 'INSUFFICIENT_BALANCE' })
}

function requireShares(wanted: {
  readonly agent: AgentRow
  readonly wallet: Address
  readonly shares: ShareState
  readonly amount: number
  readonly otherwise: 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_SHARES_FOR_TRANSFER'
}): void {
  const { agent, wallet, shares, amount, otherwise } = wanted
  if (shares.held === undefined) return
  const left = shares.held - amount
  if (left < 0) throw new Problem(otherwise)
  if (left === 0 && wallet === agent.wallet_address) throw new Problem('OWNER_CANNOT_SELL_LAST_SHARE')
}

function limitOf(side: 'buy' | 'sell', { priceAfterFeeWei }: Quote, slippageBps: number): bigint {
  return (priceAfterFeeWei * BigInt(side === 'buy' ? BPS + slippageBps : BPS - slippageBps)) / BigInt(BPS)
}

function impactOf(before: number, after: number): number {
  if (before === 0) return 0
  return Number((BigInt(after) ** 2n * BigInt(BPS)) / BigInt(before) ** 2n) - BPS
}

function supplyWarnings(agent: AgentRow, supply: number): TransactionWarning[] {
  if (supply === agent.supply) return []
  const message = `The index still has ${agent.supply} shares; this is made from the ${supply} that the chain has.`
  return [{ code: 'STALE_SUPPLY', message }]
}

interface Bounds {
  readonly limitWei: bigint
  readonly expiresAt: Date
}

async function prepareTrade(deps: QuoteDeps, trade: Trade & { wallet: Address }, bounds: Bounds): Promise<Prepared> {
  const { agent, wallet: from, request, shares } = trade
  const { subject } = agent
  const { limitWei } = bounds
  const amount = BigInt(request.amount)
  const deadline = BigInt(bounds.expiresAt.getTime() / 1000)
  const purpose = purposeOf(trade)
  const draft = async (): Promise<Pick<Draft, 'data' | 'value'>> => {
    if (purpose === 'launch') return { data: await launchData(deps, agent, amount, deadline), value: limitWei }
    if (purpose === 'buy')
      return { data: encodeBuy({ subject, amount, bounds: { maxCostWei: limitWei, deadline } }), value: limitWei }
    return { data: encodeSell({ subject, amount, bounds: { minProceedsWei: limitWei, deadline } }), value: 0n }
  }
  return prepareTransaction(deps, shares.block, { purpose, from, ...(await draft()) })
}

async function launchData(deps: QuoteDeps, agent: AgentRow, amount: bigint, deadline: bigint): Promise<Hex> {
  const { operator } = deps
  const { wallet_address: owner, username: name, subject } = agent
  if (!operator)
    throw new Problem('CHAIN_UNAVAILABLE', { message: 'This service has no operator key, so nothing can be launched.' })
  const permit = await callChain(deps, ({ id: chainId, contract }) =>
    signLaunchPermit(operator, { chainId, contract, owner, name, deadline }),
  )
  return encodeLaunch({ subject, name, permit, amount })
}
