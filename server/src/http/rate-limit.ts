import type { Endpoint, LimitClass } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance, Limiter, LimitRule } from '../adapters/limiter/limiter.js'
import type { Clock } from '../base/clock.js'
import { type Network, networkOf } from '../base/network.js'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import { type Caller, callerName, isByNetwork } from '../foundation/callers/caller.js'
import { dailyRules, limitRules, siteCeiling } from '../foundation/limits.js'

/** The allowance that a call counts against: searching a list counts as a search. */
function limitClass(endpoint: Endpoint, query: unknown): LimitClass {
  const isSearch = endpoint.query !== undefined && 'search' in endpoint.query.properties && hasText(query, 'search')
  return endpoint.limit === 'read' && isSearch ? 'search' : endpoint.limit
}

// Counted per client address, whoever calls, and besides like the class beside it.
const BY_ADDRESS: { readonly [Kind in LimitClass]?: 'read' | 'write' } = { registration: 'write', 'sign-in': 'read' }

/** Counts the call; refuses it when its allowance is used up. */
export function createRateLimit({ limiter, config, clock }: { limiter: Limiter; config: Config; clock: Clock }) {
  const rules = limitRules(config)
  const daily = dailyRules(config)
  type Kind = keyof typeof rules

  async function count(kind: Kind, who: string, network: Network | undefined, reply: FastifyReply): Promise<void> {
    const rule = rules[kind]
    if (rule.limit === 0) return
    const ceiling = network === undefined ? undefined : siteCeiling(kind, network, rule)
    const left = await limiter.take(`${kind}:${who}`, rule, ceiling)
    setHeaders(reply, kind, rule, left)
    if (left.allowed) return
    const retryAfterSeconds = secondsUntil(left.resetAt)
    throw new Problem('RATE_LIMITED', {
      retryAfterSeconds,
      message: `Too many calls: ${rule.limit} ${kind} calls in ${rule.windowMs / 1000} s are allowed. Repeat in ${retryAfterSeconds} s.`,
    })
  }

  async function countDaily(kind: keyof typeof daily, who: string): Promise<void> {
    const rule = daily[kind]
    if (rule.limit === 0) return
    const left = await limiter.take(`daily ${kind}:${who}`, rule)
    if (left.allowed) return
    const retryAfterSeconds = secondsUntil(left.resetAt)
    throw new Problem('RATE_LIMITED', {
      retryAfterSeconds,
      message: `Too many ${kind}: ${rule.limit} a day are allowed. Repeat in ${retryAfterSeconds} s.`,
    })
  }

  function secondsUntil(time: Date): number {
    return Math.max(1, Math.ceil((time.getTime() - clock.now().getTime()) / 1000))
  }

  function setHeaders(reply: FastifyReply, kind: string, rule: LimitRule, left: Allowance): void {
    reply.header('RateLimit-Policy', `"${kind}";q=${rule.limit};w=${rule.windowMs / 1000}`)
    reply.header('RateLimit', `"${kind}";r=${left.remaining};t=${secondsUntil(left.resetAt)}`)
    reply.header('X-RateLimit-Limit', rule.limit)
    reply.header('X-RateLimit-Remaining', left.remaining)
    reply.header('X-RateLimit-Reset', Math.ceil(left.resetAt.getTime() / 1000))
  }

  return async (endpoint: Endpoint, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const kind = limitClass(endpoint, request.query)
    if (kind === 'none') return
    const network = networkOf(request.ip)
    const also = BY_ADDRESS[kind]
    if (also) await count(kind, network, network, reply)
    await count(also ?? kind, callerName(caller, network), isByNetwork(caller) ? network : undefined, reply)
    if (endpoint.daily && caller.kind === 'agent') await countDaily(endpoint.daily, caller.agent.id)
  }
}

function hasText(query: unknown, name: string): boolean {
  const value = typeof query === 'object' && query !== null ? (query as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value !== ''
}
