import { Counter } from 'prom-client'
import type { Limiter } from '../adapters/limiter/limiter.js'
import type { Metrics } from './metrics.js'

/** The same limiter, with a count of what it refuses. */
export function measureLimiter(limiter: Limiter, { registry }: Metrics): Limiter {
  const refused = new Counter({
    name: 'rookery_rate_limited_total',
    help: 'Calls beyond an allowance, by the allowance.',
    labelNames: ['allowance'],
    registers: [registry],
  })
  return {
    async take(bucket, rule, ceiling) {
      const left = await limiter.take(bucket, rule, ceiling)
      // What follows says whose it is.
      if (!left.allowed) refused.inc({ allowance: bucket.split(':', 1)[0] ?? '' })
      return left
    },
    remaining: (bucket, rule, ceiling) => limiter.remaining(bucket, rule, ceiling),
    isAway: () => limiter.isAway(),
    close: () => limiter.close(),
  }
}
