import { Counter } from 'prom-client'
import type { Allowance, Limiter } from '../adapters/limiter/limiter.js'
import type { Metrics } from './metrics.js'

/** The same limiter, with a count of what it refuses. */
export function measureLimiter(limiter: Limiter, { registry }: Metrics): Limiter {
  const refused = new Counter({
    name: 'rookery_rate_limited_total',
    help: 'Calls beyond an allowance, by the allowance.',
    labelNames: ['allowance'],
    registers: [registry],
  })
  function note(bucket: string, left: Allowance): Allowance {
    // What follows says whose it is.
    if (!left.allowed) refused.inc({ allowance: bucket.split(':', 1)[0] ?? '' })
    return left
  }

  return {
    take(bucket, rule, ceiling) {
      const left = limiter.take(bucket, rule, ceiling)
      return left instanceof Promise ? left.then((left) => note(bucket, left)) : note(bucket, left)
    },
    remaining: (bucket, rule, ceiling) => limiter.remaining(bucket, rule, ceiling),
    isAway: () => limiter.isAway(),
    close: () => limiter.close(),
  }
}
