import type { Health, PlatformConfig } from '@rookery/api'
import sql from 'sql-template-tag'
import type { EmbeddedChain } from '../chain/embedded-chain.js'
import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import { createOpenApi } from '../http/openapi.js'
import { getQueueState } from '../jobs/queue.js'
import { Problem } from '../problem.js'
import { getPlatformStats } from './queries.js'
import { remembered } from './remembered.js'

const STATS_KEPT_MS = 5_000

export function platformRoutes(deps: Deps) {
  const { config, db, metrics } = deps
  const openApi = createOpenApi({ serverUrl: config.webUrl, version: config.version })
  return {
    getHealth: () => getHealth(deps),
    getConfig: () => platformConfig(deps),
    getMetrics: () => metrics.registry.metrics(),
    getOpenApi: () => openApi,
    getPlatformStats: remembered(deps.clock, STATS_KEPT_MS, () => getPlatformStats(deps)),
  } satisfies Partial<Handlers>

  async function getHealth(deps: Deps): Promise<Health> {
    await db.one(sql`select 1 as up`).catch(() => {
      throw new Problem('NOT_READY', { message: 'The database does not answer.', retryAfterSeconds: 5 })
    })
    const jobs = await getQueueState(deps)
    const chain = await chainHealth(deps)
    const isOk = chain !== 'unreachable' && jobs.failed === 0
    return {
      status: isOk ? 'ok' : 'degraded',
      version: config.version,
      uptimeSeconds: Math.floor(process.uptime()),
      checks: { database: 'ok', chain: chain === 'unreachable' ? null : chain, jobs },
    }
  }
}

async function chainHealth({ chain, clock }: Deps): Promise<Health['checks']['chain'] | 'unreachable'> {
  if (!chain) return null
  const head = await chain.head().catch(() => undefined)
  if (!head) return 'unreachable'
  const lagSeconds = Math.max(0, (clock.now().getTime() - head.at.getTime()) / 1000)
  return { block: head.number, lagBlocks: 0, lagSeconds }
}

function platformConfig({ config, embeddedChain }: Deps): PlatformConfig {
  return {
    platformName: config.PLATFORM_NAME,
    platformHandle: config.PLATFORM_HANDLE,
    webUrl: config.webUrl,
    chain: embeddedChain ? embeddedChainView(embeddedChain) : null,
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

function embeddedChainView({ chainId, rpcUrl, contract }: EmbeddedChain): PlatformConfig['chain'] {
  const nativeCurrency = { name: 'Test BNB', symbol: 'tBNB', decimals: 18 }
  return { id: chainId, name: 'Rookery test chain', rpcUrl, contract, explorerUrl: null, nativeCurrency }
}
