import type { Address } from 'viem'
import type { Config } from '../../config/config.js'
import { createChainlinkPrice, type ReadableChain } from './chainlink.js'
import type { PriceSource } from './price-source.js'

/** Opens the configured feed, or that of the embedded chain. */
export function openPrice(
  { PRICE_FEED }: Config,
  chain: ReadableChain | undefined,
  embeddedFeed: Address | undefined,
): PriceSource | undefined {
  if (!chain) return undefined
  if (PRICE_FEED) return createChainlinkPrice({ chain, feed: PRICE_FEED })
  // The embedded feed is never updated, so its answer never expires.
  const never = { name: 'embedded', updatesWithinMs: Number.POSITIVE_INFINITY }
  return embeddedFeed && createChainlinkPrice({ chain, feed: embeddedFeed, ...never })
}
