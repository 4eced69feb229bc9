import type { Endpoint, LimitClass } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance, Limiter, LimitRule } from '../adapters/limiter/limiter.js'
import type { Clock } from '../base/clock.js'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import { type Caller, callerName } from '../foundation/callers/caller.js'
import { limitRules } from '../foundation/limits.js'

/** The allowance that a call counts against: searching a list counts as a search. */
function limitClass(endpoint: Endpoint, query: unknown): LimitClass {
  const isSearch = endpoint.query !== undefined && 'search' in endpoint.query.properties && hasText(query, 'search')
  return endpoint.limit === 'read' && isSearch ? 'search' : endpoint.limit
}

/** Counts the call; refuses it when its allowance is used up. */
export function createRateLimit({ limiter, config, clock }: { limiter: Limiter; config: Config; clock: Clock }) {
  const rules = limitRules(config)

  async function count(kind: keyof typeof rules, who: string, reply: FastifyReply): Promise<void> {
    const rule = rules[kind]
    if (rule.limit === 0) return
    const left = await limiter.take(`${kind}:${who}`, rule)
    setHeaders(reply, kind, rule, left)
    if (left.allowed) return
    const retryAfterSeconds = secondsUntil(left.resetAt)
    throw new Problem('RATE_LIMITED', {
      retryAfterSeconds,
      message: `Too many calls: ${rule.limit} ${kind} calls in ${rule.windowMs / 1000} s are allowed. Repeat in ${retryAfterSeconds} s.`,
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
    if (kind === 'registration') await count('registration', request.ip, reply)
    await count(kind === 'registration' ? 'write' : kind, callerName(caller, request.ip), reply)
  }
}

function hasText(query: unknown, name: string): boolean {
  const value = typeof query === 'object' && query !== null ? (query as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value !== ''
}
