import type { PlatformConfig } from '@rookery/api'
import type { Handlers } from '../../call.js'
import { allowsLoopbackWebhooks, hasStandIns } from '../../config/exposure.js'
import type { Deps } from '../../deps.js'
import { vapidKeys } from '../people/vapid.js'
import { chainView } from './chain-view.js'
import type { Platform } from './open.js'
import { getPlatformSeries } from './series.js'

export function platformRoutes({ readHealth, readReadiness, readMetrics, readStats, readBnbPrice }: Platform) {
  return {
    getHealth: () => readHealth(),
    getLiveness: () => ({ status: 'live' as const }),
    getReadiness: () => readReadiness(),
    getConfig: ({ deps }) => platformConfig(deps),
    getMetrics: () => readMetrics(),
    getPlatformStats: () => readStats(),
    getPlatformSeries: ({ deps, input }) => getPlatformSeries(deps, input),
    getBnbPrice: () => readBnbPrice(),
  } satisfies Partial<Handlers>
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
      documentsPerMinute: config.RATE_LIMIT_DOCUMENTS,
      mediaPerMinute: config.RATE_LIMIT_MEDIA,
      signInsPerMinute: config.RATE_LIMIT_SIGN_INS,
      registrationsPerHour: config.RATE_LIMIT_REGISTRATIONS,
      maxPageSize: 100,
    },
    features: {
      socialNetwork: config.SOCIAL_NETWORK,
      faucet: embeddedChain !== undefined && hasStandIns(config),
      writesRequire: config.WRITES_REQUIRE,
      webhookLoopback: allowsLoopbackWebhooks(config),
      registrationTexts: config.REGISTRATION_TEXTS,
    },
    push: { publicKey: vapidKeys(deps).publicKey },
    version: config.version,
  }
}
