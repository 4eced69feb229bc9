import type { FastifyInstance } from 'fastify'
import { Histogram } from 'prom-client'
import { areaOf } from '../base/network.js'
import { readTraceParent } from '../base/traceparent.js'
import type { Metrics } from '../foundation/metrics.js'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures every request by route and status, and logs one line for it: who called as an id, and from where roughly. */
export function observeRequests(app: FastifyInstance, { registry }: Metrics): void {
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  // Looking up a histogram by its labels takes longer than observing.
  const byLabels = new Map<string, ReturnType<typeof latency.labels>>()
  app.addHook('onResponse', (request, reply, next) => {
    // The pattern, never the path itself: paths can carry claim tokens.
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    const status = String(reply.statusCode)
    const name = `${method} ${status} ${route}`
    const labelled = byLabels.get(name) ?? latency.labels({ method, route, status })
    byLabels.set(name, labelled)
    labelled.observe(reply.elapsedTime / 1000)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const { caller, headers, ip, span } = request
    const agentId = caller?.kind === 'agent' ? caller.agent.id : undefined
    const traceId = readTraceParent(span?.traceparent ?? headers.traceparent)?.traceId
    request.log.info({ method, route, status: reply.statusCode, ms, agentId, network: areaOf(ip), traceId }, 'request')
    next()
  })
}
