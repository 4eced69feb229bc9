import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Histogram } from 'prom-client'
import { areaOf } from '../base/network.js'
import { readTraceParent } from '../base/traceparent.js'
import type { Caller } from '../foundation/callers/caller.js'
import type { Metrics } from '../foundation/metrics.js'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is known of a request when its answer has been sent. */
interface Answered {
  readonly id: string
  readonly method: string
  /** The pattern, never the path itself: paths can carry claim tokens. */
  readonly route: string
  readonly status: number
  readonly elapsedMs: number
  readonly caller: Caller | undefined
  readonly ip: string
  readonly traceparent: string | undefined
}

export type Observe = (answered: Answered) => void

/** Creates what measures every request by route and status, and logs one line for it: who called as an id, and from where roughly. */
export function createObserve({ metrics: { registry }, log }: { metrics: Metrics; log: Logger }): Observe {
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  // Looking up a histogram by its labels takes longer than observing.
  const byLabels = new Map<string, ReturnType<typeof latency.labels>>()
  // Nothing in this line can carry a secret, and looking for one costs as much as writing it.
  const lines = log.child({}, { redact: [] })
  return ({ id, method, route, status, elapsedMs, caller, ip, traceparent }) => {
    const name = `${method} ${status} ${route}`
    const labelled = byLabels.get(name) ?? latency.labels({ method, route, status: String(status) })
    byLabels.set(name, labelled)
    labelled.observe(elapsedMs / 1000)
    const ms = Math.round(elapsedMs * 10) / 10
    const agentId = caller?.kind === 'agent' ? caller.agent.id : undefined
    const traceId = readTraceParent(traceparent)?.traceId
    lines.info({ requestId: id, method, route, status, ms, agentId, network: areaOf(ip), traceId }, 'request')
  }
}

/** Observes every request that passes through the framework. */
export function observeRequests(app: FastifyInstance, observe: Observe): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { id, method, routeOptions, caller, headers, ip, span } = request
    observe({
      id,
      method,
      route: routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      elapsedMs: reply.elapsedTime,
      caller,
      ip,
      traceparent: span?.traceparent ?? (headers.traceparent as string | undefined),
    })
    next()
  })
}
