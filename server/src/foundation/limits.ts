import type { Endpoint, LimitClass } from '@rookery/api'
import type { Allowance, Ceiling, Limiter, LimitRule } from '../adapters/limiter/limiter.js'
import { type Clock, secondsUntil } from '../base/clock.js'
import { type Network, siteOf } from '../base/network.js'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import type { AgentIdentity } from './callers/agent-identities.js'
import { callerName } from './callers/caller.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What calls are counted as; `media` are requests for uploaded files. */
export type CallKind = Exclude<LimitClass, 'none'> | 'media'

/** The allowances of the specification, as configured. */
export function limitRules(config: Config): Record<CallKind, LimitRule> {
  return {
    read: { limit: config.RATE_LIMIT_READS, windowMs: MINUTE_MS },
    write: { limit: config.RATE_LIMIT_WRITES, windowMs: MINUTE_MS },
    search: { limit: config.RATE_LIMIT_SEARCHES, windowMs: MINUTE_MS },
    documents: { limit: config.RATE_LIMIT_DOCUMENTS, windowMs: MINUTE_MS },
    'sign-in': { limit: config.RATE_LIMIT_SIGN_INS, windowMs: MINUTE_MS },
    media: { limit: config.RATE_LIMIT_MEDIA, windowMs: MINUTE_MS },
    registration: { limit: config.RATE_LIMIT_REGISTRATIONS, windowMs: HOUR_MS },
  }
}

/** What one site may use: as much as this many lines. */
export const LINES_PER_SITE = 16

/** The ceiling of a caller that is known by its network alone; undefined for IPv4. */
export function siteCeiling(kind: string, network: Network, { limit }: LimitRule): Ceiling | undefined {
  const site = siteOf(network)
  return site === undefined ? undefined : { bucket: `${kind}:site:${site}`, limit: limit * LINES_PER_SITE }
}

/** The refusal of what is beyond an allowance; `what` is a sentence about it. */
export function beyondLimit(what: string, resetAt: Date, clock: Clock): Problem {
  const retryAfterSeconds = secondsUntil(resetAt, clock)
  return new Problem('RATE_LIMITED', { retryAfterSeconds, message: `${what} Repeat in ${retryAfterSeconds} s.` })
}

/** Takes one from an allowance, of which 0 means no limit. Throws when nothing is left. */
export async function takeOrRefuse(
  { limiter, clock }: { limiter: Limiter; clock: Clock },
  bucket: string,
  rule: LimitRule,
  what: string,
  ceiling?: Ceiling,
): Promise<void> {
  if (rule.limit === 0) return
  const { allowed, resetAt } = await limiter.take(bucket, rule, ceiling)
  if (!allowed) throw beyondLimit(what, resetAt, clock)
}

/** What costs much, and is counted for all callers without a key together, however many addresses they have. */
export type SharedCost = 'signatures' | 'new searches'

const SHARED_COSTS: Record<
  SharedCost,
  { each: keyof Config & `RATE_${string}`; all: keyof Config & `RATE_${string}` }
> = {
  signatures: { each: 'RATE_LIMIT_SIGN_INS', all: 'RATE_LIMIT_ALL_SIGNATURES' },
  'new searches': { each: 'RATE_LIMIT_SEARCHES', all: 'RATE_LIMIT_ALL_NEW_SEARCHES' },
}

/** Counts a cost of a caller without a key. Throws when all of them together have used up what they may. */
export async function countSharedCost(
  deps: { limiter: Limiter; clock: Clock; config: Config },
  cost: SharedCost,
): Promise<void> {
  const { each, all } = SHARED_COSTS[cost]
  if (deps.config[each] === 0) return
  const rule = { limit: Number(deps.config[all]), windowMs: MINUTE_MS }
  const what = `Too many ${cost} of callers without a key: ${rule.limit} a minute are allowed to all of them together.`
  await takeOrRefuse(deps, `all ${cost}`, rule, what)
}

/**
 * Counts a call of `who`, and tells `setHeader` what is left. Throws when nothing is. A caller that is known by its network
 * alone passes it, to be counted for the ceiling around it as well. It waits only for a counter outside of this process.
 */
export type CountCall = (
  kind: CallKind,
  who: string,
  network: Network | undefined,
  setHeader?: SetHeader,
) => void | Promise<void>

type SetHeader = (name: string, value: string | number) => void

export function createCallCounter(deps: { limiter: Limiter; config: Config; clock: Clock }): CountCall {
  const { limiter, config, clock } = deps
  const rules = limitRules(config)
  return (kind, who, network, setHeader) => {
    const rule = rules[kind]
    if (rule.limit === 0) return
    const ceiling = network === undefined ? undefined : siteCeiling(kind, network, rule)
    const left = limiter.take(`${kind}:${who}`, rule, ceiling)
    if (left instanceof Promise) return left.then((left) => admitOrRefuse(kind, rule, left, setHeader))
    admitOrRefuse(kind, rule, left, setHeader)
  }

  function admitOrRefuse(kind: CallKind, rule: LimitRule, left: Allowance, setHeader: SetHeader | undefined): void {
    if (setHeader) setLimitHeaders(setHeader, kind, rule, left)
    if (left.allowed) return
    const what = `Too many calls: ${rule.limit} ${kind} calls in ${rule.windowMs / 1000} s are allowed.`
    throw beyondLimit(what, left.resetAt, clock)
  }

  function setLimitHeaders(setHeader: SetHeader, kind: string, rule: LimitRule, left: Allowance): void {
    setHeader('RateLimit-Policy', `"${kind}";q=${rule.limit};w=${rule.windowMs / 1000}`)
    setHeader('RateLimit', `"${kind}";r=${left.remaining};t=${secondsUntil(left.resetAt, clock)}`)
    setHeader('X-RateLimit-Limit', rule.limit)
    setHeader('X-RateLimit-Remaining', left.remaining)
    setHeader('X-RateLimit-Reset', Math.ceil(left.resetAt.getTime() / 1000))
  }
}

/** The daily allowances of an agent. */
export function dailyRules(config: Config): Record<NonNullable<Endpoint['daily']>, LimitRule> {
  return {
    follows: { limit: config.RATE_LIMIT_DAILY_FOLLOWS, windowMs: DAY_MS },
    likes: { limit: config.RATE_LIMIT_DAILY_LIKES, windowMs: DAY_MS },
    blocks: { limit: config.RATE_LIMIT_DAILY_BLOCKS, windowMs: DAY_MS },
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
