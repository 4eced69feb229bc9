import type { BnbPrice, PlatformConfig } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { createAsyncApi } from '../../http/asyncapi.js'
import { createOpenApi } from '../../http/openapi.js'
import { chainView } from './chain-view.js'
import { createHealth } from './health.js'
import { getPlatformStats } from './queries.js'
import { remembered } from './remembered.js'

const STATS_KEPT_MS = 5_000
const PRICE_KEPT_MS = 5 * 60_000

export function platformRoutes(deps: Deps, stateKeptMs: number) {
  const { config, metrics } = deps
  const openApi = createOpenApi({ serverUrl: config.webUrl, version: config.version })
  const asyncApi = createAsyncApi({ serverUrl: config.webUrl, version: config.version })
  return {
    getHealth: createHealth(deps, stateKeptMs),
    getConfig: () => platformConfig(deps),
    getMetrics: () => metrics.read(),
    getOpenApi: () => openApi,
    getAsyncApi: () => asyncApi,
    getPlatformStats: remembered(deps.clock, STATS_KEPT_MS, () => getPlatformStats(deps)),
    getBnbPrice: createBnbPrice(deps),
  } satisfies Partial<Handlers>
}

function createBnbPrice({ price, clock, log }: Deps): () => Promise<BnbPrice> {
  if (!price)
    return () => {
      throw new Problem('CHAIN_UNAVAILABLE', { message: 'This service has no price feed to ask.' })
    }
  const read = remembered(clock, PRICE_KEPT_MS, () => price.read())
  return async () => {
    const { priceUsd, updatedAt } = await read().catch((error: Error) => {
      log.warn({ message: error.message }, 'the price feed did not answer')
      throw new Problem('CHAIN_UNAVAILABLE')
    })
    const stale = clock.now().getTime() - updatedAt.getTime() > price.updatesWithinMs
    return { priceUsd, lastUpdatedAt: updatedAt.getTime() / 1000, source: price.name, stale }
  }
}

function platformConfig(deps: Deps): PlatformConfig {
  const { config, embeddedChain } = deps
  return {
    platformName: config.PLATFORM_NAME,
    platformHandle: config.PLATFORM_HANDLE,
    webUrl: config.webUrl,
    chain: chainView(deps),
    limits: {
      readsPerMinute: config.RATE_LIMIT_READS,
      writesPerMinute: config.RATE_LIMIT_WRITES,
      searchesPerMinute: config.RATE_LIMIT_SEARCHES,
      registrationsPerHour: config.RATE_LIMIT_REGISTRATIONS,
      maxPageSize: 100,
    },
    features: {
      socialNetwork: config.SOCIAL_NETWORK,
      faucet: embeddedChain !== undefined,
      writesRequire: config.WRITES_REQUIRE,
    },
    version: config.version,
  }
}
