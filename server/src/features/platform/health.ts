import type { Health } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { ChainLag } from '../../foundation/chain/lag.js'
import type { QueueState } from '../../foundation/jobs/queue.js'
import type { State } from './state.js'

const LATE_SECONDS = 60
// Chains that produce a block every few seconds. Other chains may produce none while nobody sends transactions.
const STEADY_CHAINS = [56, 97]

const READ_ONLY = 'The database takes no writes: a standby that is not promoted yet? Calls get 503 until it does.'

// Nobody has asked while the database took writes.
const NEVER_READ: QueueState = { waiting: 0, failed: 0, oldestDueSeconds: 0, oldestEmbedSeconds: 0, kinds: [] }

/** What is wrong, in words. */
interface Reason {
  readonly text: string
  /** Whether the time while nothing ran explains it, so that it is no news right after a start. */
  readonly isDelay?: boolean
}

/** Reports the health of the service within a second, whatever the state of its dependencies. */
export function createHealth(deps: Deps, state: State): () => Promise<Health> {
  const { config, clock, lateClock } = deps
  const openedAt = clock.now()
  const isStarting = () => {
    const now = clock.now()
    // Where the clock is told the time, hours pass in a moment until it is right.
    const startedAt = lateClock ? (lateClock.rightSince ?? now) : openedAt
    return now.getTime() - startedAt.getTime() < LATE_SECONDS * 1000
  }
  let latestJobs: QueueState | undefined
  return async () => {
    const [{ value: database }, { value: newestJobs }, { value: lag }, { value: isRedisAway = true }, { value: disk }] =
      await Promise.all([state.database(), state.queue(), state.chain(), state.redisAway(), state.disk()])
    latestJobs = newestJobs ?? latestJobs
    const jobs = database?.isReadOnly ? (latestJobs ?? NEVER_READ) : newestJobs
    if (!database || !jobs)
      throw new Problem('NOT_READY', { message: 'The database does not answer.', retryAfterSeconds: 1 })
    const hasSearch = deps.embedders.configured.isReady()
    const isYoung = isStarting()
    const reasons: Reason[] = [
      // What is read from the database is not known either then.
      ...(database.isReadOnly ? [{ text: READ_ONLY }] : jobReasons(jobs)),
      ...(deps.chain && !database.isReadOnly ? chainReasons(lag, deps) : []),
      ...(isRedisAway ? [{ text: 'Redis does not answer, so each instance counts limits for itself.' }] : []),
      ...embeddingReasons(jobs, deps),
      ...(disk?.shortage ? [{ text: disk.shortage }] : []),
      ...(hasSearch || isYoung ? [] : [{ text: 'Search by meaning answers 503: its model is not loaded.' }]),
      ...deps.troubles.list().map((text) => ({ text })),
    ]
    return {
      status:
        reasons.length === 0 ? 'ok' : reasons.every(({ isDelay }) => isDelay) && isYoung ? 'starting' : 'degraded',
      reasons: reasons.map(({ text }) => text),
      version: config.version,
      uptimeSeconds: Math.floor(process.uptime()),
      checks: {
        database: database.isReadOnly ? 'failed' : 'ok',
        chain: lag ? { block: lag.block, lagBlocks: lag.lagBlocks, lagSeconds: lag.lagSeconds } : null,
        jobs: { waiting: jobs.waiting, failed: jobs.failed, oldestDueSeconds: jobs.oldestDueSeconds },
        redis: config.REDIS_URL ? (isRedisAway ? 'failed' : 'ok') : null,
        search: hasSearch ? 'ok' : 'loading',
      },
    }
  }
}

function jobReasons({ failed, oldestDueSeconds, waiting }: QueueState): Reason[] {
  const reasons: Reason[] = []
  if (failed > 0)
    reasons.push({ text: `Jobs gave up: ${failed}. Try them again with \`npm run operate -- retry-jobs\`.` })
  if (oldestDueSeconds > LATE_SECONDS)
    reasons.push({
      text: `Background work is late: ${waiting} jobs wait, the oldest for ${Math.round(oldestDueSeconds)} s.`,
      isDelay: true,
    })
  return reasons
}

// A job that the provider cannot do is postponed, so it is never due for long.
function embeddingReasons({ oldestEmbedSeconds }: QueueState, { embedders }: Deps): Reason[] {
  const failure = embedders.configured.failures?.().latest
  const reasons: Reason[] = []
  if (failure !== undefined)
    reasons.push({ text: `Search by meaning does not find new texts, and may answer 503: ${failure}.` })
  if (oldestEmbedSeconds > LATE_SECONDS)
    reasons.push({
      text: `Search by meaning is late: a text has waited for its vector for ${Math.round(oldestEmbedSeconds)} s.`,
      isDelay: true,
    })
  return reasons
}

function chainReasons(lag: ChainLag | undefined, { config, embeddedChain }: Deps): Reason[] {
  // The embedded chain listens before it answers: it reads its blocks first.
  if (!lag) return [{ text: 'The chain does not answer.', isDelay: embeddedChain !== undefined }]
  if (!lag.isFollowed)
    return [
      {
        text: 'Nobody follows the chain: no process has asked it for new blocks in the last minute.',
        isDelay: true,
      },
    ]
  if (lag.lagSeconds > LATE_SECONDS)
    return [{ text: `Trades are late: ${lag.lagBlocks} blocks are not applied yet.`, isDelay: true }]
  if (lag.headAgeSeconds > LATE_SECONDS && STEADY_CHAINS.includes(config.chainId))
    return [{ text: `The chain has stopped: its newest block is ${Math.round(lag.headAgeSeconds)} s old.` }]
  return []
}
