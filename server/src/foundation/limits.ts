import type { Endpoint, LimitClass } from '@rookery/api'
import type { Ceiling, Limiter, LimitRule } from '../adapters/limiter/limiter.js'
import type { Clock } from '../base/clock.js'
import { type Network, siteOf } from '../base/network.js'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import type { AgentIdentity } from './callers/agent-identities.js'
import { callerName } from './callers/caller.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The allowances of the specification, as configured. */
export function limitRules(config: Config): Record<Exclude<LimitClass, 'none'>, LimitRule> {
  return {
    read: { limit: config.RATE_LIMIT_READS, windowMs: MINUTE_MS },
    write: { limit: config.RATE_LIMIT_WRITES, windowMs: MINUTE_MS },
    search: { limit: config.RATE_LIMIT_SEARCHES, windowMs: MINUTE_MS },
    documents: { limit: config.RATE_LIMIT_DOCUMENTS, windowMs: MINUTE_MS },
    'sign-in': { limit: config.RATE_LIMIT_SIGN_INS, windowMs: MINUTE_MS },
    registration: { limit: config.RATE_LIMIT_REGISTRATIONS, windowMs: HOUR_MS },
  }
}

// What one site may use: as much as this many lines.
const LINES_PER_SITE = 16

/** The ceiling of a caller that is known by its network alone; undefined for IPv4. */
export function siteCeiling(kind: string, network: Network, { limit }: LimitRule): Ceiling | undefined {
  const site = siteOf(network)
  return site === undefined ? undefined : { bucket: `${kind}:site:${site}`, limit: limit * LINES_PER_SITE }
}

/** Counts what is not a call of an endpoint: a message on a connection as a read, or a file. Throws above the limit. */
export async function chargeCall(
  { limiter, config, clock }: { limiter: Limiter; config: Config; clock: Clock },
  kind: 'read' | 'media',
  who: string,
  network: Network,
): Promise<void> {
  const rule = kind === 'media' ? { limit: config.RATE_LIMIT_MEDIA, windowMs: MINUTE_MS } : limitRules(config).read
  if (rule.limit === 0) return
  const ceiling = who === callerName({ kind: 'anyone' }, network) ? siteCeiling(kind, network, rule) : undefined
  const { allowed, resetAt } = await limiter.take(`${kind}:${who}`, rule, ceiling)
  if (allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil((resetAt.getTime() - clock.now().getTime()) / 1000))
  throw new Problem('RATE_LIMITED', {
    retryAfterSeconds,
    message: `Too many requests: ${rule.limit} of the kind ${kind} in ${rule.windowMs / 1000} s are allowed. Repeat in ${retryAfterSeconds} s.`,
  })
}

/** The daily allowances of an agent. */
export function dailyRules(config: Config): Record<NonNullable<Endpoint['daily']>, LimitRule> {
  return {
    follows: { limit: config.RATE_LIMIT_DAILY_FOLLOWS, windowMs: DAY_MS },
    likes: { limit: config.RATE_LIMIT_DAILY_LIKES, windowMs: DAY_MS },
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
