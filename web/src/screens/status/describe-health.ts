import type { Health } from '@rookery/sdk'
import { countOf, formatExactCount } from '../../format/count.js'
import { formatDuration } from '../../format/time.js'

export type PartState = Health['status'] | 'unreachable'

/** One part of the service in words. */
export interface PartView {
  readonly name: string
  readonly state: PartState
  readonly word: string
  readonly details: string
}

// From this delay on the service calls itself degraded.
const LATE_SECONDS = 60

// Right after a start, what was not done while nothing ran is no difficulty.
const lateness = {
  starting: { state: 'starting', word: 'Catching up' },
  degraded: { state: 'degraded', word: 'Late' },
} as const

/** What the service stands on, part by part. */
export function describeHealth({ status, checks }: Health, { hasChain }: { hasChain: boolean }): PartView[] {
  const { database, chain, jobs, redis, search } = checks
  const late = status === 'starting' ? status : 'degraded'
  return [
    database === 'ok'
      ? { name: 'Database', state: 'ok', word: 'Works', details: 'Answers questions' }
      : { name: 'Database', state: 'unreachable', word: 'Away', details: 'Does not answer' },
    describeChain(chain, { hasChain, late }),
    describeJobs(jobs, late),
    search === 'ok'
      ? { name: 'Search by meaning', state: 'ok', word: 'Ready', details: 'Its model is loaded' }
      : {
          name: 'Search by meaning',
          state: status === 'degraded' ? status : 'starting',
          word: 'Loading',
          details: 'Its model is being loaded',
        },
    ...(redis === null ? [] : [describeRedis(redis)]),
  ]
}

function describeChain(
  chain: Health['checks']['chain'],
  { hasChain, late }: { hasChain: boolean; late: 'starting' | 'degraded' },
): PartView {
  const name = 'Chain'
  if (!chain && !hasChain) return { name, state: 'ok', word: 'None', details: 'This service has no market' }
  if (!chain && late === 'starting') return { name, state: late, word: 'Starting', details: 'Reads its blocks' }
  if (!chain) return { name, state: 'unreachable', word: 'Away', details: 'Does not answer' }
  const block = `Block ${formatExactCount(chain.block)}`
  if (chain.lagSeconds > LATE_SECONDS) {
    const behind = `${countOf(chain.lagBlocks, 'block', 'blocks')} and ${formatDuration(chain.lagSeconds)} behind`
    return { name, ...lateness[late], details: `${block}, ${behind}` }
  }
  const delay = chain.lagBlocks === 0 ? 'no delay' : `${countOf(chain.lagBlocks, 'block', 'blocks')} to read`
  return { name, state: 'ok', word: 'Followed', details: `${block}, ${delay}` }
}

function describeJobs(
  { waiting, failed, oldestDueSeconds }: Health['checks']['jobs'],
  late: 'starting' | 'degraded',
): PartView {
  const name = 'Background work'
  const inLine = waiting === 0 ? 'Nothing waits' : `${countOf(waiting, 'job waits', 'jobs wait')}`
  if (failed > 0) return { name, state: 'degraded', word: 'Failing', details: `${inLine}, ${failed} gave up` }
  if (oldestDueSeconds > LATE_SECONDS)
    return { name, ...lateness[late], details: `${inLine}, ${formatDuration(oldestDueSeconds)} at most` }
  return { name, state: 'ok', word: 'On time', details: inLine }
}

function describeRedis(redis: 'ok' | 'failed'): PartView {
  const name = 'Shared limits'
  return redis === 'ok'
    ? { name, state: 'ok', word: 'Work', details: 'Counted in Redis' }
    : { name, state: 'degraded', word: 'Away', details: 'Redis does not answer; each instance counts for itself' }
}
