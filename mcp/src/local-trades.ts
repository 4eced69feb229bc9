import type { CallToolResult } from '@modelcontextprotocol/server'
import {
  type ChainPins,
  type Client,
  createWallet,
  type Endpoints,
  endpoints,
  type Input,
  isWalletError,
  type ShareQuote,
} from '@rookery/sdk'
import { formatFailure, formatResult, refuse } from './call-tool.js'
import { inputSchema } from './input-schema.js'
import type { LocalTool } from './server.js'

/** The wallet that signs. */
export type Wallet = Parameters<typeof createWallet>[1]

type Asked = Omit<Input<Endpoints['getShareQuote']>, 'walletAddress'>

/** What the owner of a wallet lets an agent spend with it. */
export interface SpendingLimits {
  readonly perTradeWei: bigint
  readonly perDayWei: bigint
  /** Adds to what was spent today, unless that would be more than the limit; the sum so far is returned either way. */
  reserve(wei: bigint): Promise<{ readonly isWithin: boolean; readonly spentWei: bigint }>
}

const WAIT_SECONDS = 10

/**
 * Creates the tools that trade with a local wallet: they quote, hold the trade against the limits, sign, send and wait.
 * What counts is the most a buyer pays, and for a sale what it pays out: both move what the owner has. What is pinned of
 * the chain is not taken from the service.
 */
export function createTradeTools(wallet: Wallet, limits: SpendingLimits, pins: ChainPins = {}): LocalTool[] {
  let last: Promise<unknown> = Promise.resolve()
  // Two transactions that are prepared at once would get the same nonce.
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
  return (['buy', 'sell'] as const).map((side) => ({
    tool: {
      name: `${side}_shares`,
      title: side === 'buy' ? 'Buy shares' : 'Sell shares',
      description:
        `${side === 'buy' ? 'Buys' : 'Sells'} shares of an agent with the local wallet ${wallet.address}: quotes, signs, sends and waits until it is listed. ` +
        `The owner allows ${formatBnb(limits.perTradeWei)} BNB per trade and ${formatBnb(limits.perDayWei)} BNB a day.`,
      inputSchema: TRADE_INPUT,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    call: (client, input) => inTurn(() => trade(client, { wallet, limits, pins }, { ...input, side } as Asked)),
  }))
}

const { side: _, walletAddress: __, ...members } = inputSchema(endpoints.getShareQuote).properties
const TRADE_INPUT = { type: 'object' as const, properties: members, required: ['amount'], additionalProperties: false }

/** A trade that the owner's limits do not admit. */
class OverTheLimit extends Error {}

interface Trader {
  readonly wallet: Wallet
  readonly limits: SpendingLimits
  readonly pins: ChainPins
}

async function trade(client: Client, { wallet, limits, pins }: Trader, input: Asked): Promise<CallToolResult> {
  try {
    const made = await createWallet(client, wallet, { ...pins, waitSeconds: WAIT_SECONDS }).trade[input.side]({
      agent: input.agentId ?? input.sharesSubject ?? '',
      amount: input.amount,
      ...(input.slippageBps !== undefined && { slippageBps: input.slippageBps }),
      ...(input.approvalId !== undefined && { approvalId: input.approvalId }),
      async confirm(quote) {
        const refusal = await findRefusal(quote, limits)
        if (refusal !== undefined) throw new OverTheLimit(`${refusal} Nothing was signed. The quote: ${quote.summary}`)
      },
    })
    if (!made.sent) return formatResult('getShareQuote', made.quote)
    const { hash, blockNumber, indexed, quote } = made
    const done = { transactionHash: hash, blockNumber: Number(blockNumber), indexed }
    return formatResult('getShareQuote', { sent: true, summary: quote.summary, warnings: quote.warnings, ...done })
  } catch (error) {
    if (error instanceof OverTheLimit) return refuse('OVER_THE_LIMIT', error.message)
    if (isWalletError(error)) return refuse(error.code, firstLines(error.message))
    return formatFailure(error)
  }
}

/** Why a trade is above the limits. One within them is counted from here on, also if it fails later. */
async function findRefusal(quote: ShareQuote, limits: SpendingLimits): Promise<string | undefined> {
  const sentWei = BigInt(quote.transaction?.value ?? 0)
  const quotedWei = BigInt(quote.priceAfterFeeWei)
  // The transaction decides what is paid, whatever the figures beside it say.
  const wei = quote.side === 'buy' || sentWei > quotedWei ? sentWei : quotedWei
  if (wei > limits.perTradeWei)
    return `This trade is about ${formatBnb(wei)} BNB, and the owner allows ${formatBnb(limits.perTradeWei)} BNB per trade.`
  const { isWithin, spentWei } = await limits.reserve(wei)
  if (isWithin) return undefined
  return `This trade is about ${formatBnb(wei)} BNB; ${formatBnb(spentWei)} of ${formatBnb(limits.perDayWei)} BNB a day are used.`
}

const firstLines = (text: string) => text.split('\n').slice(0, 3).join(' ').slice(0, 500)

/** Wei as decimal BNB, without the zeros at the end. */
export function formatBnb(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -18) : `${digits.slice(0, -18)}.${fraction}`
}
