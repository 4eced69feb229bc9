import type { UnsignedTransaction } from '@rookery/api'
import type { Address, LocalAccount } from 'viem'
import type { Client } from './client.js'
import type { SendOptions, SentTransaction } from './send.js'
import type { Trading, WalletOptions } from './trading.js'

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
  const claiming = () => import('./claim.js')
  return {
    address: account.address,
    trade: {
      buy: async (wanted) => (await trading()).trade(trader, { side: 'buy', ...wanted, boundWei: wanted.maxCostWei }),
      sell: async (wanted) =>
        (await trading()).trade(trader, { side: 'sell', ...wanted, boundWei: wanted.minProceedsWei }),
      transfer: async (wanted) => (await trading()).transfer(trader, wanted),
      claimFees: async (wanted = {}) => (await claiming()).claimFees(trader, wanted),
      claimFeesFor: async (wanted) => (await claiming()).claimFeesFor(trader, wanted),
    },
    balance: async () => (await trading()).readBalance(trader),
    send: async (transaction, { wait = 0, ...bound } = {}) => {
      const { hash, blockNumber, indexed } = await (await trading()).send(trader, transaction, {
        ...bound,
        waitSeconds: wait,
      })
      return { hash, blockNumber, indexed }
    },
  }
}
