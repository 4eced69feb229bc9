import type { Address } from 'viem'
import type { Config } from '../../config/config.js'
import { createChainlinkPrice, type ReadableChain } from './chainlink.js'
import type { PriceSource } from './price-source.js'

/** The configured feed, or the one that the embedded chain has. */
export function openPrice(
  { PRICE_FEED }: Config,
  chain: ReadableChain | undefined,
  embeddedFeed: Address | undefined,
): PriceSource | undefined {
  if (!chain) return undefined
  if (PRICE_FEED) return createChainlinkPrice({ chain, feed: PRICE_FEED })
  // Nobody updates the embedded feed, so its answer never gets too old.
  const never = { name: 'embedded', updatesWithinMs: Number.POSITIVE_INFINITY }
  return embeddedFeed && createChainlinkPrice({ chain, feed: embeddedFeed, ...never })
}
