import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Link } from '../base/link.js'

/** A value, or one for each value of a label; undefined when it cannot be read. */
export type Measured =
  | number
  | undefined
  | readonly { readonly labels: Record<string, string>; readonly value: number }[]

/** Metrics for operators, in Prometheus format. */
export interface Metrics {
  readonly registry: Registry
  read(): Promise<string>
  /** Adds a gauge whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => Promise<Measured>, labelNames?: readonly string[]): void
  /** Adds a count that is kept elsewhere, and read on each scrape. */
  counter(name: string, help: string, read: () => Measured, labelNames?: readonly string[]): void
}

/** `primary` reads the metrics of all processes that serve one port. */
export function createMetrics(primary?: Link): Metrics {
  const registry = new Registry()
  let hasDefaults = false

  function readOwn(): Promise<string> {
    // Only once metrics are read: measuring the event loop wakes the process a hundred times a second.
    if (!hasDefaults) collectDefaultMetrics({ register: registry })
    hasDefaults = true
    return registry.metrics()
  }

  primary?.on('metrics', readOwn)
  return {
    registry,
    read: async () => (primary ? ((await primary.ask('metrics')) as string) : readOwn()),
    gauge(name, help, read, labelNames = []) {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        async collect() {
          const measured = await read()
          if (typeof measured !== 'object') return this.set(measured ?? Number.NaN)
          // A label that has no value any more.
          this.reset()
          for (const { labels, value } of measured) this.set(labels, value)
        },
      })
    },
    counter(name, help, read, labelNames = []) {
      new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          const measured = read()
          this.reset()
          if (typeof measured !== 'object') return this.inc(measured ?? 0)
          for (const { labels, value } of measured) this.inc(labels, value)
        },
      })
    },
  }
}
