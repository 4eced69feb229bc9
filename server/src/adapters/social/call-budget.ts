import { type Clock, secondsUntil } from '../../base/clock.js'
import type { Limiter } from '../limiter/limiter.js'
import { SocialBudgetSpent } from './social-network.js'

const WINDOW_MS = 15 * 60_000
const BUCKET = 'calls-to-x'

/** What all agents together may use of the quota that the social network gives this service. */
export interface CallBudget {
  /** Call before each request. Throws SocialBudgetSpent when nothing is left. */
  spend(): Promise<void>
  /** How many calls are left; undefined without a limit. */
  left(): Promise<number | undefined>
}

export function createCallBudget(limiter: Limiter, clock: Clock, limit: number): CallBudget {
  const rule = { limit, windowMs: WINDOW_MS }
  return {
    left: async () => (limit === 0 ? undefined : limiter.remaining(BUCKET, rule)),
    async spend() {
      if (limit === 0) return
      const { allowed, resetAt } = await limiter.take(BUCKET, rule)
      if (!allowed) throw new SocialBudgetSpent(secondsUntil(resetAt, clock))
    },
  }
}
