import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Numbers for operators, in the form Prometheus reads. */
export interface Metrics {
  readonly registry: Registry
  /** Everything, as text. */
  read(): Promise<string>
  /** Adds a number that is read when it is asked for; undefined where it cannot be read. */
  gauge(name: string, help: string, read: () => Promise<number | undefined>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  let hasDefaults = false
  return {
    registry,
    read() {
      // Only once somebody reads metrics: measuring the event loop wakes the process a hundred times a second.
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
