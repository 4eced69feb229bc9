import type { LimitClass } from '@rookery/api'
import type { Limiter, LimitRule } from '../adapters/limiter/limiter.js'
import type { Config } from '../config/config.js'
import type { AgentIdentity } from './callers/agent-identities.js'
import { callerName } from './callers/caller.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The allowances of the specification, as configured. */
export function limitRules(config: Config): Record<Exclude<LimitClass, 'none'>, LimitRule> {
  return {
    read: { limit: config.RATE_LIMIT_READS, windowMs: MINUTE_MS },
    write: { limit: config.RATE_LIMIT_WRITES, windowMs: MINUTE_MS },
    search: { limit: config.RATE_LIMIT_SEARCHES, windowMs: MINUTE_MS },
    registration: { limit: config.RATE_LIMIT_REGISTRATIONS, windowMs: HOUR_MS },
  }
}

/** What is left of an allowance. */
export interface Remaining {
  readonly kind: 'read' | 'write' | 'search'
  readonly limit: number
  readonly remaining: number
}

/** Finds what is left of an agent's allowances. Unlimited ones are left out. */
export async function findRemaining(
  { limiter, config }: { limiter: Limiter; config: Config },
  agent: AgentIdentity,
): Promise<Remaining[]> {
  const rules = limitRules(config)
  const limited = (['read', 'write', 'search'] as const).filter((kind) => rules[kind].limit > 0)
  const bucket = callerName({ kind: 'agent', agent }, '')
  return Promise.all(
    limited.map(async (kind) => {
      const { limit } = rules[kind]
      return { kind, limit, remaining: await limiter.remaining(`${kind}:${bucket}`, rules[kind]) }
    }),
  )
}
