import type {
  BalanceRank,
  FeeClaim,
  Holder,
  PositionRank,
  ShareHolding,
  SharePrice,
  Trade,
  Trader,
  TradeStatus,
  TransferRecord,
  WalletActivity,
  WalletHolding,
} from '@rookery/api'
import { type Quote, quoteSell } from '@rookery/contracts'
import { formatEther } from 'viem'
import type { ChainState } from '../../foundation/chain/cursor.js'
import type { AgentRow } from '../agents/queries.js'
import { bnb, marketView } from '../agents/view.js'
import { nextPriceBnb } from './chart.js'
import type { ClaimEvent, Place, TradeEvent, TransferEvent } from './decode.js'
import { placeOf } from './event-rows.js'
import type { HolderRow, HoldingRow } from './holdings.js'
import type { RankRow } from './leaderboards.js'
import { type Parties, walletView } from './parties.js'
import { percentOf } from './portfolio-view.js'
import type { Profit } from './profit.js'
import type { ActivityRow, TraderRow } from './trades.js'

const NO_PROFIT: Profit = { costBasisWei: 0n, realisedWei: 0n }

/** The proceeds of selling shares now, before fees. */
function valueWei(supply: number, amount: number): bigint {
  return quoteSell(BigInt(supply), BigInt(amount)).priceWei
}

function valueView({ supply, amount }: HoldingRow, { costBasisWei, realisedWei }: Profit = NO_PROFIT) {
  const value = valueWei(supply, amount)
  return {
    valueBNB: formatEther(value),
    costBasisBNB: formatEther(costBasisWei),
    realisedProfitBNB: formatEther(realisedWei),
    openProfitBNB: formatEther(value - costBasisWei),
  }
}

export function shareHoldingView(row: HoldingRow, profit: Profit | undefined): ShareHolding {
  return {
    agentId: row.id,
    agentUsername: row.username,
    agentDisplayName: row.display_name,
    agentAvatarUrl: row.avatar_url,
    sharesSubject: row.subject,
    amount: row.amount,
    ...valueView(row, profit),
  }
}

export function walletHoldingView(
  wallet: `0x${string}`,
  row: HoldingRow,
  { profit = NO_PROFIT, supplies = [] }: { profit: Profit | undefined; supplies: readonly number[] | undefined },
): WalletHolding {
  const before = BigInt(supplies[0] ?? 0) ** 2n
  const after = BigInt(supplies.at(-1) ?? 0) ** 2n
  return {
    trader: wallet,
    amount: row.amount,
    agentId: row.id,
    username: row.username,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    subject: row.subject,
    sharePriceBNB: bnb(row.price_wei),
    ...valueView(row, profit),
    averageCostBNB: formatEther(profit.costBasisWei / BigInt(row.amount)),
    // The price grows with the square of the supply.
    change24hPercent: percentOf(after - before, before),
    recentPrices: supplies.map(nextPriceBnb),
  }
}

export function holderView(
  { holder, amount }: HolderRow,
  { agent, since, parties }: { agent: AgentRow; since: Date | undefined; parties: Parties },
): Holder {
  return {
    address: holder,
    amount,
    valueBNB: formatEther(valueWei(agent.supply, amount)),
    ownershipBps: Math.floor((amount * 10_000) / agent.supply),
    isOwner: holder === agent.wallet_address,
    heldSinceAt: (since ?? agent.created_at).toISOString(),
    agent: parties.get(holder) ?? null,
  }
}

function placedView({ id, transactionHash, block, time }: Omit<Place, 'logIndex'>, chain: ChainState | undefined) {
  return { id, transactionHash, blockNumber: block, blockTimeUnix: time, status: statusOf(block, chain) }
}

function settledView(
  { amount, ...place }: Omit<Place, 'logIndex'> & { readonly amount: number },
  chain: ChainState | undefined,
) {
  return { ...placedView(place, chain), shareAmount: amount }
}

export function statusOf(block: number, chain: ChainState | undefined): TradeStatus {
  if (!chain) return 'pending'
  return block <= chain.final ? 'final' : block <= chain.confirmed ? 'confirmed' : 'pending'
}

/** What the view of a page of trades needs besides its rows. */
export interface TradeFacts {
  readonly chain: ChainState | undefined
  readonly wallets: Parties
  readonly subjects: Parties
}

export function tradeView(trade: Omit<TradeEvent, 'balance'>, { chain, wallets, subjects }: TradeFacts): Trade {
  return {
    ...settledView(trade, chain),
    action: trade.isBuy ? 'bought' : 'sold',
    trader: walletView(trade.trader, wallets),
    subject: walletView(trade.subject, subjects),
    priceBNB: formatEther(trade.priceWei),
    protocolFeeBNB: formatEther(trade.protocolFeeWei),
    subjectFeeBNB: formatEther(trade.subjectFeeWei),
    sharePriceBNB: nextPriceBnb(trade.supply),
    supply: trade.supply,
  }
}

export function transferView(transfer: TransferEvent, { chain, wallets, subjects }: TradeFacts): TransferRecord {
  return {
    ...settledView(transfer, chain),
    sender: walletView(transfer.sender, wallets),
    receiver: walletView(transfer.receiver, wallets),
    subject: walletView(transfer.subject, subjects),
  }
}

export function claimView(claim: ClaimEvent, { chain, subjects }: Pick<TradeFacts, 'chain' | 'subjects'>): FeeClaim {
  return {
    ...placedView(claim, chain),
    subject: walletView(claim.subject, subjects),
    receiver: claim.receiver,
    amountBNB: formatEther(claim.amountWei),
    amountWei: claim.amountWei.toString(),
  }
}

export function activityView(row: ActivityRow, { chain, wallets, subjects }: TradeFacts): WalletActivity {
  return {
    ...settledView({ ...placeOf(row), id: row.id, amount: row.amount }, chain),
    action: row.action,
    subject: walletView(row.subject, subjects),
    counterparty: row.counterparty && walletView(row.counterparty, wallets),
    priceBNB: row.price_wei && bnb(row.price_wei),
    sharePriceBNB: row.supply === null ? null : nextPriceBnb(row.supply),
  }
}

export function traderView(row: TraderRow, parties: Parties): Trader {
  return {
    id: row.address,
    address: row.address,
    volumeBNB: bnb(row.volume_wei),
    totalTrades: row.trades_count,
    totalInvestedSubjects: row.subjects_count,
    latestTradeAt: row.latest_trade_at.toISOString(),
    agent: parties.get(row.address) ?? null,
  }
}

export function balanceRankView(row: RankRow): BalanceRank {
  return {
    rank: row.rank,
    agentId: row.id,
    agentUsername: row.username,
    agentDisplayName: row.display_name,
    walletAddress: row.wallet_address,
    balanceBNB: bnb(row.balance_wei),
    tradingVolBNB: bnb(row.volume_wei),
    sharePriceBNB: bnb(row.price_wei),
    ...marketView(row),
    followersCount: row.followers_count,
    lastPingAt: row.last_ping_at?.toISOString() ?? null,
  }
}

export function positionRankView(row: RankRow): PositionRank {
  return { ...balanceRankView(row), positionValueBNB: bnb(row.holding_value_wei) }
}

export function sharePriceView(
  subject: `0x${string}`,
  { quote, amount, supply, blockNumber }: { quote: Quote; amount: number; supply: number; blockNumber: number | null },
): SharePrice {
  return {
    priceWei: quote.priceWei.toString(),
    protocolFeeWei: quote.protocolFeeWei.toString(),
    subjectFeeWei: quote.subjectFeeWei.toString(),
    priceAfterFeeWei: quote.priceAfterFeeWei.toString(),
    amount,
    supply,
    blockNumber,
    subjectAddress: subject,
  }
}
