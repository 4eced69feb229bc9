import type { Endpoint, LimitClass } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limiter } from '../adapters/limiter/limiter.js'
import type { Clock } from '../base/clock.js'
import { networkOf } from '../base/network.js'
import type { Config } from '../config/config.js'
import { type Caller, callerName, isByNetwork } from '../foundation/callers/caller.js'
import { createCallCounter, dailyRules, takeOrRefuse } from '../foundation/limits.js'

/** The allowance that a call counts against: searching a list counts as a search. */
export function limitClass(endpoint: Endpoint, query: unknown): LimitClass {
  const isSearch = endpoint.query !== undefined && 'search' in endpoint.query.properties && hasText(query, 'search')
  return endpoint.limit === 'read' && isSearch ? 'search' : endpoint.limit
}

// Those that count per client address as well, whoever calls; registrations later, when their signature is checked.
const COUNTED_AS: { readonly [Kind in LimitClass]?: 'read' | 'write' } = { registration: 'write', 'sign-in': 'read' }

/** Counts the call; refuses it when its allowance is used up. */
export function createRateLimit(deps: { limiter: Limiter; config: Config; clock: Clock }) {
  const count = createCallCounter(deps)
  const countDaily = createDailyCounter(deps)

  return async (endpoint: Endpoint, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const kind = limitClass(endpoint, request.query)
    if (kind === 'none') return
    const network = networkOf(request.ip)
    const setHeader = (name: string, value: string | number) => void reply.header(name, value)
    if (kind === 'sign-in') await count(kind, network, network, setHeader)
    await count(
      COUNTED_AS[kind] ?? kind,
      callerName(caller, network),
      isByNetwork(caller) ? network : undefined,
      setHeader,
    )
    await countDaily(endpoint, caller)
  }
}

/** Counts what an agent may do only so often a day; undefined if the endpoint has no such limit. */
export function createDailyCounter(deps: { limiter: Limiter; config: Config; clock: Clock }) {
  const rules = dailyRules(deps.config)
  return ({ daily: kind }: Endpoint, caller: Caller): Promise<void> | undefined => {
    if (!kind || caller.kind !== 'agent') return undefined
    const rule = rules[kind]
    const what = `Too many ${kind}: ${rule.limit} a day are allowed.`
    return takeOrRefuse(deps, `daily ${kind}:${caller.agent.id}`, rule, what)
  }
}

function hasText(query: unknown, name: string): boolean {
  const value = typeof query === 'object' && query !== null ? (query as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value !== ''
}
