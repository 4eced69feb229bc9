import type { Traces } from '../../adapters/traces/traces.js'
import { readTraceParent } from '../../base/traceparent.js'
import type { AroundJob } from './measure.js'

/** Makes a span of every job, linked to the call that caused it. Like jobs it may end long after that call. */
export function traceJobs(traces: Traces | undefined, around: AroundJob): AroundJob {
  if (!traces) return around
  return async (job, run) => {
    const { kind, attempts, payload } = job
    const link = 'traceparent' in payload ? readTraceParent(payload.traceparent as string) : undefined
    const attributes = { 'rookery.job.kind': kind, 'rookery.job.attempt': attempts }
    const span = traces.begin({ name: `job ${kind}`, kind: 'consumer', attributes, link })
    const end = (outcome: 'done' | 'postponed' | 'failed', error?: string) =>
      span.end({ attributes: { 'rookery.job.outcome': outcome }, error })
    try {
      const result = await span.within(() => around(job, run))
      end(result === undefined ? 'done' : 'postponed')
      return result
    } catch (error) {
      end('failed', (error as Error).name)
      throw error
    }
  }
}
