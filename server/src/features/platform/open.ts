import type { BnbPrice, Health, PlatformStats, Readiness } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Hub } from '../live/hub.js'
import { cacheFor } from './cache-for.js'
import { addGauges } from './gauges.js'
import { createHealth } from './health.js'
import { getPlatformStats } from './queries.js'
import { createReadiness } from './readiness.js'
import { createState } from './state.js'

/** How long health and metrics are cached: anybody can request them, and some of their checks cost money. */
const STATE_KEPT_MS = 2_000

const STATS_KEPT_MS = 5_000
const PRICE_KEPT_MS = 5 * 60_000

/** Cached answers for public endpoints that are expensive to compute. */
export interface Platform {
  readHealth(): Promise<Health>
  readReadiness(): Promise<Readiness>
  readMetrics(): Promise<string>
  readStats(): Promise<PlatformStats>
  readBnbPrice(): Promise<BnbPrice>
}

/** Opens them, and adds to the metrics what is read when they are. */
export function openPlatform(deps: Deps, hub: Hub, stateKeptMs = STATE_KEPT_MS): Platform {
  const state = createState(deps, stateKeptMs)
  addGauges(deps, hub, state, stateKeptMs)
  return {
    readHealth: createHealth(deps, state),
    readReadiness: createReadiness(deps, state),
    readMetrics: cacheFor(deps.clock, stateKeptMs, () => deps.metrics.read()),
    readStats: cacheFor(deps.clock, STATS_KEPT_MS, () => getPlatformStats(deps)),
    readBnbPrice: createBnbPrice(deps),
  }
}

function createBnbPrice({ price, clock, log }: Deps): () => Promise<BnbPrice> {
  if (!price)
    return () => {
      throw new Problem('CHAIN_UNAVAILABLE', { message: 'This service has no price feed to ask.' })
    }
  const read = cacheFor(clock, PRICE_KEPT_MS, () => price.read())
  return async () => {
    const { priceUsd, updatedAt } = await read().catch((error: Error) => {
      log.warn({ message: error.message }, 'the price feed did not answer')
      throw new Problem('CHAIN_UNAVAILABLE')
    })
    const stale = clock.now().getTime() - updatedAt.getTime() > price.updatesWithinMs
    return { priceUsd, lastUpdatedUnix: updatedAt.getTime() / 1000, source: price.name, stale }
  }
}
