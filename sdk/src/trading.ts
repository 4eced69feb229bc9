import type {
  ApprovalRef,
  Endpoints,
  Output,
  PreparedClaim,
  ShareQuote,
  ShareTransaction,
  UnsignedTransaction,
} from '@rookery/api'
import type { Address } from 'viem'
import type { GasBound } from './gas-bounds.js'
import type { ChainPins } from './market-chain.js'
import type { SentTransaction } from './send.js'

/** How a wallet reaches the chain, what gas may cost, and how long it waits. */
export interface WalletOptions extends ChainPins, GasBound {
  /** How many seconds to wait until the service has indexed a transaction; 0: not at all. Default 30. */
  readonly waitSeconds?: number
}

interface Trade extends GasBound {
  /** Username, id or subject address of the agent, or `me`. */
  readonly agent: string
  /** Whole shares. */
  readonly amount: number
  /** The owner's approval of exactly this, where one was needed. */
  readonly approvalId?: string
}

/** Lets the caller see what will be signed. */
interface Confirmed<Prepared> {
  /** Called with what was prepared and checked, before anything is signed. What it throws stops the trade. */
  readonly confirm?: (prepared: Prepared) => void | Promise<void>
}

interface CurveTrade extends Trade, Confirmed<ShareQuote> {
  /** How much worse the price may get until the trade is in a block, in hundredths of a percent. Default 100. */
  readonly slippageBps?: number
}

/** Which shares to buy. */
export interface BuyRequest extends CurveTrade {
  /** The most that price and fees together may cost. */
  readonly maxCostWei?: bigint
}

/** Which shares to sell. */
export interface SellRequest extends CurveTrade {
  /** The least to receive, after fees. */
  readonly minProceedsWei?: bigint
}

/** Which shares to give away. */
export interface TransferRequest extends Trade, Confirmed<ShareTransfer> {
  /** The wallet that receives them. */
  readonly to: Address
}

/** Whose fees to collect. */
export interface ClaimRequest extends GasBound, Confirmed<PreparedClaim> {
  /** Username, id or subject address. Default: the agent whose key the client has, or the only one of its owner. */
  readonly agent?: string
}

/** Whose fees to pay out without the agent's key. */
export interface ClaimForRequest extends GasBound, Confirmed<OpenClaim> {
  /** Username, id or subject address. */
  readonly agent: string
}

/** A transaction that pays an agent's fees to its wallet, made without the service. */
export interface OpenClaim {
  readonly subject: Address
  /** The agent's wallet, which the contract pays. */
  readonly receiver: Address
  /** What waits to be collected now. */
  readonly amountWei: bigint
  readonly summary: string
  readonly transaction: UnsignedTransaction
}

/** A transaction to give shares away, as the service prepares it. */
export type ShareTransfer = Output<Endpoints['getShareTransfer']>

/** A transaction that was made. */
export interface Made<Prepared> extends SentTransaction {
  readonly sent: true
  /** What the service prepared, and the wallet checked before it signed. */
  readonly quote: Prepared
  /** What the transaction did, with what was paid; undefined while the service has not indexed it. */
  readonly record: ShareTransaction | undefined
}

/** Nothing was signed: the agent's owner must approve first. Repeat the call with `approvalId` when that is done. */
export interface AwaitingApproval<Prepared> {
  readonly sent: false
  readonly approval: ApprovalRef
  readonly quote: Prepared
}

/** Nothing was signed: no fees wait. */
export interface NothingToClaim {
  readonly sent: false
  readonly quote: OpenClaim
}

/** What became of a trade; `sent` tells the two apart. */
export type TradeOutcome<Prepared = ShareQuote> = Made<Prepared> | AwaitingApproval<Prepared>

/** Trades of one wallet. */
export interface Trading {
  /** Buys shares. The owner's first purchase launches them. */
  buy(wanted: BuyRequest): Promise<TradeOutcome>
  sell(wanted: SellRequest): Promise<TradeOutcome>
  /** Gives shares to another wallet. */
  transfer(wanted: TransferRequest): Promise<TradeOutcome<ShareTransfer>>
  /** Pays an agent's unclaimed fees to its wallet. Needs the key of the agent, or its owner's token. */
  claimFees(wanted?: ClaimRequest): Promise<Made<PreparedClaim>>
  /** Does the same for any agent, without a key: the contract allows it to every wallet, which pays the gas. */
  claimFeesFor(wanted: ClaimForRequest): Promise<Made<OpenClaim> | NothingToClaim>
}
