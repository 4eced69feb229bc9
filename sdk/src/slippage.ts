import type { Client } from './client.js'
import { WalletError } from './wallet-error.js'

const BPS = 10_000n

interface Bounded {
  readonly side: 'buy' | 'sell'
  readonly agent: string
  readonly amount: number
  readonly slippageBps: number
  /** The most a buyer pays or the least a seller receives. */
  readonly boundWei: bigint | undefined
}

/** The slippage to ask for: the wanted one, or less, so that the limit of the quote stays within the bound. */
export async function slippageWithin(
  client: Client,
  { side, agent, amount, slippageBps, boundWei }: Bounded,
): Promise<number> {
  if (boundWei === undefined) return slippageBps
  const wanted = { id: agent, amount }
  const { priceAfterFeeWei } = await (side === 'buy' ? client.getBuyPrice(wanted) : client.getSellPrice(wanted))
  const priceWei = BigInt(priceAfterFeeWei)
  requireWithin(side, priceWei, boundWei)
  if (priceWei === 0n) return slippageBps
  const room = ((side === 'buy' ? boundWei - priceWei : priceWei - boundWei) * BPS) / priceWei
  return room < BigInt(slippageBps) ? Number(room) : slippageBps
}

/** Throws when the price is worse than the caller accepts. */
export function requireWithin(side: 'buy' | 'sell', priceWei: bigint, boundWei: bigint | undefined): void {
  if (boundWei === undefined || (side === 'buy' ? priceWei <= boundWei : priceWei >= boundWei)) return
  const message =
    side === 'buy'
      ? `This may cost ${priceWei} wei with fees, which is more than maxCostWei, ${boundWei}. Nothing was signed.`
      : `This may pay ${priceWei} wei after fees, which is less than minProceedsWei, ${boundWei}. Nothing was signed.`
  throw new WalletError('PRICE_OUT_OF_BOUNDS', message, { priceWei, boundWei })
}
