import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Metrics for operators, in Prometheus format. */
export interface Metrics {
  readonly registry: Registry
  read(): Promise<string>
  /** Adds a gauge whose value is read on each scrape; undefined when it cannot be read. */
  gauge(name: string, help: string, read: () => Promise<number | undefined>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  let hasDefaults = false
  return {
    registry,
    read() {
      // Only once metrics are read: measuring the event loop wakes the process a hundred times a second.
      if (!hasDefaults) collectDefaultMetrics({ register: registry })
      hasDefaults = true
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
