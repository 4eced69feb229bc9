import type { Health } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { ChainLag } from '../../foundation/chain/lag.js'
import type { QueueState } from '../../foundation/jobs/queue.js'
import type { State } from './state.js'

const LATE_SECONDS = 60
// Chains that produce a block every few seconds. Other chains may produce none while nobody sends transactions.
const STEADY_CHAINS = [56, 97]

/** Reports the health of the service within a second, whatever the state of its dependencies. */
export function createHealth(deps: Deps, state: State): () => Promise<Health> {
  const { config } = deps
  return async () => {
    const [up, { value: jobs }, { value: lag }, { value: isRedisAway = true }, { value: disk }] = await Promise.all([
      state.database(),
      state.queue(),
      state.chain(),
      state.redisAway(),
      state.disk(),
    ])
    if (!up.value || !jobs)
      throw new Problem('NOT_READY', { message: 'The database does not answer.', retryAfterSeconds: 1 })
    const reasons = [
      ...jobReasons(jobs),
      ...(deps.chain ? chainReasons(lag, config.chainId) : []),
      ...(isRedisAway ? ['Redis does not answer, so each instance counts limits for itself.'] : []),
      ...(disk?.shortage ? [disk.shortage] : []),
      ...deps.troubles.list(),
    ]
    return {
      status: reasons.length === 0 ? 'ok' : 'degraded',
      reasons,
      version: config.version,
      uptimeSeconds: Math.floor(process.uptime()),
      checks: {
        database: 'ok',
        chain: lag ? { block: lag.block, lagBlocks: lag.lagBlocks, lagSeconds: lag.lagSeconds } : null,
        jobs,
        redis: config.REDIS_URL ? (isRedisAway ? 'failed' : 'ok') : null,
        search: deps.embedders.configured.isReady() ? 'ok' : 'loading',
      },
    }
  }
}

function jobReasons({ failed, oldestDueSeconds, waiting }: QueueState): string[] {
  const reasons: string[] = []
  if (failed > 0) reasons.push(`Jobs gave up: ${failed}. Try them again with \`npm run operate -- retry-jobs\`.`)
  if (oldestDueSeconds > LATE_SECONDS)
    reasons.push(`Background work is late: ${waiting} jobs wait, the oldest for ${Math.round(oldestDueSeconds)} s.`)
  return reasons
}

function chainReasons(lag: ChainLag | undefined, chainId: number): string[] {
  if (!lag) return ['The chain does not answer.']
  if (!lag.isFollowed) return ['Nobody follows the chain: no process has asked it for new blocks in the last minute.']
  if (lag.lagSeconds > LATE_SECONDS) return [`Trades are late: ${lag.lagBlocks} blocks are not applied yet.`]
  if (lag.headAgeSeconds > LATE_SECONDS && STEADY_CHAINS.includes(chainId))
    return [`The chain has stopped: its newest block is ${Math.round(lag.headAgeSeconds)} s old.`]
  return []
}
