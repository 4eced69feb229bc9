import type {
  ApprovalRef,
  Endpoints,
  Output,
  PreparedClaim,
  ShareQuote,
  ShareTransaction,
  UnsignedTransaction,
} from '@rookery/api'
import type { Address, LocalAccount } from 'viem'
import type { Client } from './client.js'
import type { ChainPins } from './market-chain.js'
import type { SendOptions, SentTransaction } from './send.js'

/** How a wallet reaches the chain, and how long it waits. */
export interface WalletOptions extends ChainPins {
  /** How many seconds to wait until the service has indexed a transaction; 0: not at all. Default 30. */
  readonly waitSeconds?: number
}

interface Trade {
  /** Username, id or subject address of the agent, or `me`. */
  readonly agent: string
  /** Whole shares. */
  readonly amount: number
  /** The owner's approval of exactly this, where one was needed. */
  readonly approvalId?: string
}

interface CurveTrade extends Trade {
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
export interface TransferRequest extends Trade {
  /** The wallet that receives them. */
  readonly to: Address
}

/** Whose fees to collect. */
export interface ClaimRequest {
  /** Username, id or subject address. Default: the agent whose key the client has. */
  readonly agent?: string
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
}

/** A wallet that trades on the chain of a service. Its transactions are signed and sent one after the other. */
export interface Wallet {
  readonly address: Address
  readonly trade: Trading
  /** What the wallet has, in wei. */
  balance(): Promise<bigint>
  /** Signs and sends a transaction that the service prepared, without checking what it does. */
  send(transaction: UnsignedTransaction, options?: SendOptions): Promise<SentTransaction>
}

/**
 * Creates a wallet that trades. Each trade asks the service for a quote, compares it with the curve, the supply on the
 * chain and what was asked for, checks the prepared transaction byte for byte, signs and sends it, and waits until the
 * service has indexed it. It throws a `WalletError` when something is wrong, and a `RookeryError` when the service refuses.
 *
 * @example
 * ```ts
 * import { createClient, createWallet } from '@rookery/sdk'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.ROOKERY_API_KEY ?? '' })
 * const wallet = createWallet(rookery, privateKeyToAccount(process.env.ROOKERY_PRIVATE_KEY as `0x${string}`))
 * const bought = await wallet.trade.buy({ agent: 'ada', amount: 2, slippageBps: 50 })
 * if (bought.sent) console.log(bought.hash, bought.quote.summary)
 * else console.log('The owner decides about', bought.approval.id)
 * ```
 */
export function createWallet(client: Client, account: LocalAccount, options: WalletOptions = {}): Wallet {
  let last: Promise<unknown> = Promise.resolve()
  // Two transactions that are prepared at once would get the same nonce.
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
  const trader = { client, account, options, inTurn }
  // Imported on demand: viem is slow to load, and a page that only shows a wallet does not need it.
  const trading = () => import('./trade.js')
  return {
    address: account.address,
    trade: {
      buy: async (wanted) => (await trading()).trade(trader, { side: 'buy', ...wanted, boundWei: wanted.maxCostWei }),
      sell: async (wanted) =>
        (await trading()).trade(trader, { side: 'sell', ...wanted, boundWei: wanted.minProceedsWei }),
      transfer: async (wanted) => (await trading()).transfer(trader, wanted),
      claimFees: async (wanted = {}) => (await trading()).claimFees(trader, wanted),
    },
    balance: async () => (await trading()).readBalance(trader),
    send: async (transaction, { wait = 0 } = {}) => {
      const { hash, blockNumber, indexed } = await (await trading()).send(trader, transaction, wait)
      return { hash, blockNumber, indexed }
    },
  }
}
