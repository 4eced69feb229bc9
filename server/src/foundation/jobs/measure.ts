import { Histogram } from 'prom-client'
import type { Metrics } from '../metrics.js'
import type { ClaimedJob } from './claims.js'

/** What is done around every job that a worker runs. */
export type AroundJob = <T>(job: Pick<ClaimedJob, 'kind' | 'attempts' | 'payload'>, run: () => Promise<T>) => Promise<T>

const BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** Measures how long jobs take, by kind and outcome; a set of jobs that are done together counts as one. */
export function createJobMeasure({ registry }: Metrics): AroundJob {
  const duration = new Histogram({
    name: 'rookery_job_duration_seconds',
    help: 'How long jobs of this process ran, by kind and outcome; sets that are done together count as one.',
    labelNames: ['kind', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  return async ({ kind }, run) => {
    const startedAt = performance.now()
    const observe = (outcome: 'done' | 'postponed' | 'failed') =>
      duration.observe({ kind, outcome }, (performance.now() - startedAt) / 1000)
    try {
      const result = await run()
      observe(result === undefined ? 'done' : 'postponed')
      return result
    } catch (error) {
      observe('failed')
      throw error
    }
  }
}
