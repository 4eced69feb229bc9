import type { ApprovalRef, ShareQuote, ShareTransaction, UnsignedTransaction } from '@rookery/api'
import { agentSharesAbi } from '@rookery/contracts/abi'
import type { Address, LocalAccount } from 'viem'
import { getBalance, readContract } from 'viem/actions'
import { checkQuote } from './check-quote.js'
import { checkTrade, checkTransfer } from './check-transaction.js'
import type { Client } from './client.js'
import { findSubject } from './find-subject.js'
import type { GasBound } from './gas-bounds.js'
import { type MarketChain, openChain } from './market-chain.js'
import type { SentTransaction } from './send.js'
import { signAndSend, waitUntilIndexed } from './sign-and-send.js'
import { requireWithin, slippageWithin } from './slippage.js'
import type { BuyRequest, ShareTransfer, TradeOutcome, TransferRequest, WalletOptions } from './trading.js'
import { unavailable } from './unavailable.js'
import { mismatch } from './wallet-error.js'

/** Who trades, and where. */
export interface Trader {
  readonly client: Client
  readonly account: LocalAccount
  readonly options: WalletOptions
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

interface WantedTrade extends Omit<BuyRequest, 'maxCostWei'> {
  readonly side: 'buy' | 'sell'
  readonly boundWei: bigint | undefined
}

const DEFAULT_SLIPPAGE_BPS = 100
const DEFAULT_WAIT_SECONDS = 30

/** Buys or sells shares. */
export async function trade(trader: Trader, wanted: WantedTrade): Promise<TradeOutcome> {
  const { client, account } = trader
  const { side, amount, boundWei } = wanted
  const [chain, agent, slippageBps] = await Promise.all([
    openMarket(trader),
    findSubject(client, wanted.agent),
    slippageWithin(client, { ...wanted, slippageBps: wanted.slippageBps ?? DEFAULT_SLIPPAGE_BPS }),
  ])
  const quote = await client.getShareQuote({
    side,
    sharesSubject: agent.subject,
    amount,
    slippageBps,
    walletAddress: account.address,
    ...approvalOf(wanted),
  })
  const supply = await readSupply(chain, agent.subject, quote)
  checkQuote(quote, { side, amount, slippageBps, subject: agent.subject, supply })
  requireWithin(side, BigInt(quote.limitPriceWei), boundWei)
  if (quote.transaction) {
    checkTrade(quote.transaction, quote, agent)
    await wanted.confirm?.(quote)
  }
  return finish(trader, chain, quote, wanted)
}

/** Gives shares to another wallet. */
export async function transfer(trader: Trader, wanted: TransferRequest): Promise<TradeOutcome<ShareTransfer>> {
  const { client, account } = trader
  const { amount, to } = wanted
  const [chain, { subject }] = await Promise.all([openMarket(trader), findSubject(client, wanted.agent)])
  const walletAddress = account.address
  const quote = await client.getShareTransfer({
    sharesSubject: subject,
    to,
    amount,
    walletAddress,
    ...approvalOf(wanted),
  })
  if (quote.transaction) {
    checkTransfer(quote.transaction, { subject, to, amount })
    await wanted.confirm?.(quote)
  }
  return finish(trader, chain, quote, wanted)
}

/** Signs and sends a transaction, and waits for the service. */
export async function send(
  trader: Trader,
  transaction: UnsignedTransaction,
  { waitSeconds = waitOf(trader), ...given }: GasBound & { waitSeconds?: number } = {},
  chain?: MarketChain,
): Promise<SentTransaction & { sent: true; record: ShareTransaction | undefined }> {
  const { client, options, inTurn } = trader
  const bound = given.maxGasWei === undefined ? options : given
  const mined = await signAndSend(chain ?? (await openMarket(trader)), transaction, bound, inTurn)
  const record = await waitUntilIndexed(client, mined.hash, waitSeconds)
  return { sent: true, ...mined, indexed: record?.indexed ?? false, record }
}

/** What the wallet has, in wei. */
export async function readBalance(trader: Trader): Promise<bigint> {
  const { node } = await openMarket(trader)
  return getBalance(node, { address: node.account.address }).catch(noAnswer)
}

interface Prepared {
  readonly transaction?: UnsignedTransaction
  readonly approval?: ApprovalRef
}

async function finish<P extends Prepared>(
  trader: Trader,
  chain: MarketChain,
  quote: P,
  wanted: GasBound,
): Promise<TradeOutcome<P>> {
  const { transaction, approval } = quote
  if (transaction) return { ...(await send(trader, transaction, wanted, chain)), quote }
  if (approval) return { sent: false, approval, quote }
  throw mismatch('the transaction', 'one to sign', 'missing')
}

/** Opens the chain that the wallet trades on. */
export const openMarket = ({ client, account, options }: Trader) => openChain(client, account, options)
const waitOf = ({ options }: Trader) => options.waitSeconds ?? DEFAULT_WAIT_SECONDS
const approvalOf = ({ approvalId }: { approvalId?: string }) => (approvalId === undefined ? {} : { approvalId })

// Nodes keep the state of a few blocks only, and another node may not have the newest one yet.
async function readSupply({ node, contract }: MarketChain, subject: Address, quote: ShareQuote): Promise<bigint> {
  const supply = { address: contract, abi: agentSharesAbi, functionName: 'sharesSupply', args: [subject] } as const
  const newest = () => readContract(node, supply).catch(noAnswer)
  if (quote.blockNumber === null) return newest()
  return readContract(node, { ...supply, blockNumber: BigInt(quote.blockNumber) }).catch(newest)
}

/** Nothing was sent, because the chain did not answer. */
export function noAnswer(error: unknown): never {
  throw unavailable(undefined, error)
}
