import type { Endpoints, Input, Output, ShareQuote, TransactionWarning } from '@rookery/api'
import { encodeBuy, encodeLaunch, encodeSell, encodeTransfer, type Quote, signLaunchPermit } from '@rookery/contracts'
import sql from 'sql-template-tag'
import { type Address, type Hex, zeroAddress } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentRow, getAgent } from '../agents/queries.js'
import { type Draft, deadlineIn, type Prepared, type Purpose, prepareTransaction } from './prepare.js'
import { tradeSummary, transferSummary } from './summaries.js'
import { callChain, quoteAt, readSupply, readSupplyOnChain, type Supply } from './supply.js'

type QuoteDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'log' | 'operator'>
type QuoteRequest = Input<Endpoints['getShareQuote']>
type TransferRequest = Input<Endpoints['getShareTransfer']>

const QUOTE_LIVES_MS = 60_000
const PERMIT_LIVES_MS = 10 * 60_000
const BPS = 10_000

/** Quotes a trade. With a wallet, the quote includes the transaction. */
export async function quoteTrade(
  deps: QuoteDeps,
  viewer: AgentIdentity | undefined,
  request: QuoteRequest,
): Promise<ShareQuote> {
  const agent = await getSubjectAgent(deps, viewer, request)
  const wallet = request.walletAddress?.toLowerCase() as Address | undefined
  return withReliableSupply(deps, agent, wallet, (supply) => quoteAtSupply(deps, { agent, wallet, supply, request }))
}

/** Prepares the transaction that sends shares to another wallet. */
export async function prepareTransfer(
  deps: QuoteDeps,
  viewer: AgentIdentity | undefined,
  request: TransferRequest,
): Promise<Output<Endpoints['getShareTransfer']>> {
  const { amount } = request
  const agent = await getSubjectAgent(deps, viewer, request)
  const to = request.to.toLowerCase() as Address
  const from = request.walletAddress.toLowerCase() as Address
  return withReliableSupply(deps, agent, from, async (supply) => {
    if (supply.supply === 0) throw new Problem('INSUFFICIENT_SHARES_FOR_TRANSFER')
    if ([zeroAddress, deps.chain?.contract, agent.subject, from].includes(to)) throw new Problem('INVALID_TO_ADDRESS')
    await requireShares(deps, { agent, wallet: from, supply, amount, otherwise: 'INSUFFICIENT_SHARES_FOR_TRANSFER' })
    const data = encodeTransfer({ subject: agent.subject, to, amount: BigInt(amount) })
    const { transaction, warnings } = await prepareTransaction(deps, { purpose: 'transfer', from, data, value: 0n })
    return { summary: transferSummary(agent, amount, to), warnings, transaction }
  })
}

async function getSubjectAgent(
  { db }: QuoteDeps,
  viewer: AgentIdentity | undefined,
  { sharesSubject, agentId }: Pick<QuoteRequest, 'sharesSubject' | 'agentId'>,
): Promise<AgentRow> {
  const identifier = sharesSubject ?? agentId
  if (identifier === undefined) throw Problem.at('sharesSubject', 'or agentId must be given')
  return getAgent(db, identifier, viewer)
}

/**
 * Works with the indexed supply while the index is fresh. A fresh index may still miss the newest block, for example the
 * caller's own last trade, so before it refuses a wallet it tries again with the supply on the chain.
 */
async function withReliableSupply<T>(
  deps: QuoteDeps,
  agent: AgentRow,
  wallet: Address | undefined,
  work: (supply: Supply) => Promise<T>,
): Promise<T> {
  const supply = await readSupply(deps, agent)
  try {
    return await work(supply)
  } catch (error) {
    const isFinal = !(error instanceof Problem) || error.code === 'CHAIN_UNAVAILABLE' || supply.source === 'chain'
    if (isFinal || !wallet || !deps.chain) throw error
    return work(await readSupplyOnChain(deps, agent))
  }
}

interface Trade {
  readonly agent: AgentRow
  readonly wallet: Address | undefined
  readonly supply: Supply
  readonly request: QuoteRequest
}

async function quoteAtSupply(deps: QuoteDeps, trade: Trade): Promise<ShareQuote> {
  const { agent, wallet, request } = trade
  const { side, amount, slippageBps = 100 } = request
  const { supply } = trade.supply
  const isLaunch = side === 'buy' && supply === 0
  // Without a wallet this is a price only, which anyone may read.
  if (isLaunch && wallet) requireLauncher(agent, wallet)
  if (side === 'sell') await requireSaleable(deps, trade)
  const quote = quoteAt(side, supply, amount)
  // Nobody else can trade before the launch, so its price cannot move.
  const limitWei = isLaunch ? quote.priceAfterFeeWei : limitOf(side, quote, slippageBps)
  const prepared = wallet && (await prepareTrade(deps, { ...trade, wallet }, limitWei))
  return {
    side,
    sharesSubject: agent.subject,
    amount,
    supply,
    price: quote.priceWei.toString(),
    protocolFee: quote.protocolFeeWei.toString(),
    subjectFee: quote.subjectFeeWei.toString(),
    priceAfterFee: quote.priceAfterFeeWei.toString(),
    priceImpactBps: impactOf(supply, side === 'buy' ? supply + amount : supply - amount),
    slippageBps,
    limitPrice: limitWei.toString(),
    launch: isLaunch,
    expiresAt: new Date(deps.clock.now().getTime() + QUOTE_LIVES_MS).toISOString(),
    summary: tradeSummary(agent, { purpose: purposeOf(trade), amount, quote, limitWei }),
    warnings: [...supplyWarnings(agent, trade.supply), ...(prepared?.warnings ?? [])],
    ...(prepared && { transaction: prepared.transaction }),
  }
}

function purposeOf({ supply, request }: Trade): Purpose {
  return request.side === 'buy' && supply.supply === 0 ? 'launch' : request.side
}

function requireLauncher(agent: AgentRow, wallet: Address): void {
  if (wallet !== agent.wallet_address) throw new Problem('ONLY_SUBJECT_CAN_BUY_FIRST_SHARE')
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  if (agent.status !== 'active') throw new Problem('AGENT_NOT_VERIFIED')
}

async function requireSaleable(deps: QuoteDeps, { agent, wallet, supply, request: { amount } }: Trade): Promise<void> {
  if (amount > supply.supply) throw new Problem('INSUFFICIENT_SUPPLY')
  if (wallet) await requireShares(deps, { agent, wallet, supply, amount, otherwise: 'INSUFFICIENT_BALANCE' })
}

/** Checks the wallet's holding in the index. When the supply comes from the chain, the simulation checks it instead. */
async function requireShares(
  { db }: QuoteDeps,
  wanted: {
    readonly agent: AgentRow
    readonly wallet: Address
    readonly supply: Supply
    readonly amount: number
    readonly otherwise: 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_SHARES_FOR_TRANSFER'
  },
): Promise<void> {
  const { agent, wallet, supply, amount, otherwise } = wanted
  if (supply.source === 'chain') return
  const held = await db.find<Row<'share_holding', 'amount'>>(
    sql`select amount from share_holding where subject = ${agent.subject} and holder = ${wallet}`,
  )
  const left = (held?.amount ?? 0) - amount
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

function supplyWarnings(agent: AgentRow, { supply }: Supply): TransactionWarning[] {
  if (supply === agent.supply) return []
  const message = `The index still has ${agent.supply} shares; this is made from the ${supply} that the chain has.`
  return [{ code: 'STALE_SUPPLY', message }]
}

async function prepareTrade(deps: QuoteDeps, trade: Trade & { wallet: Address }, limitWei: bigint): Promise<Prepared> {
  const { agent, wallet: from, request } = trade
  const { subject } = agent
  const amount = BigInt(request.amount)
  const purpose = purposeOf(trade)
  const draft = async (): Promise<Pick<Draft, 'data' | 'value'>> => {
    if (purpose === 'launch') return { data: await launchData(deps, agent, amount), value: limitWei }
    const deadline = await deadlineIn(deps, QUOTE_LIVES_MS)
    if (purpose === 'buy')
      return { data: encodeBuy({ subject, amount, bounds: { maxCostWei: limitWei, deadline } }), value: limitWei }
    return { data: encodeSell({ subject, amount, bounds: { minProceedsWei: limitWei, deadline } }), value: 0n }
  }
  return prepareTransaction(deps, { purpose, from, ...(await draft()) })
}

async function launchData(deps: QuoteDeps, agent: AgentRow, amount: bigint): Promise<Hex> {
  const { operator } = deps
  const { wallet_address: owner, username: name, subject } = agent
  if (!operator)
    throw new Problem('CHAIN_UNAVAILABLE', { message: 'This service has no operator key, so nothing can be launched.' })
  const deadline = await deadlineIn(deps, PERMIT_LIVES_MS)
  const permit = await callChain(deps, ({ id: chainId, contract }) =>
    signLaunchPermit(operator, { chainId, contract, owner, name, deadline }),
  )
  return encodeLaunch({ subject, name, permit, amount })
}
