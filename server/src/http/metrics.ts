import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Numbers for operators, in the form Prometheus reads. */
export interface Metrics {
  readonly registry: Registry
  /** Everything, as text. */
  read(): Promise<string>
  /** Adds a number that is read when it is asked for; undefined where it cannot be read. */
  gauge(name: string, help: string, read: () => Promise<number | undefined>): void
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  let isAsked = false
  return {
    registry,
    read() {
      // With the first question: to measure the event loop, the process wakes a hundred times a second.
      if (!isAsked) collectDefaultMetrics({ register: registry })
      isAsked = true
      return registry.metrics()
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set((await read()) ?? Number.NaN)
        },
      })
    },
  }
}

/** Measures every request by route and status, and writes its one line of log. */
export function observeRequests(app: FastifyInstance, { registry }: Metrics): void {
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  // Finding the place of a measurement by its labels takes longer than measuring.
  const places = new Map<string, ReturnType<typeof latency.labels>>()
  app.addHook('onResponse', (request, reply, next) => {
    // The pattern, never the path itself: paths can carry claim tokens.
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    const status = String(reply.statusCode)
    const name = `${method} ${status} ${route}`
    const place = places.get(name) ?? latency.labels({ method, route, status })
    places.set(name, place)
    place.observe(reply.elapsedTime / 1000)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method, route, status: reply.statusCode, ms }, 'request')
    next()
  })
}
