import { type Tolerance, type Trend, trendOf } from './flat.js'
import { type Kind, MIX } from './load.js'
import type { Period } from './run.js'
import type { Sample } from './sample.js'

/** A figure over time, and whether it stays flat. */
export interface Series {
  readonly name: string
  readonly unit: string
  readonly points: readonly (readonly [seconds: number, value: number])[]
  readonly trend: Trend
}

const figures: readonly (readonly [keyof Sample, name: string, unit: string, Tolerance])[] = [
  ['residentMb', 'resident memory', 'MB', { part: 0.1, atLeast: 20 }],
  ['heapMb', 'heap in use', 'MB', { part: 0.15, atLeast: 15 }],
  ['externalMb', 'memory outside the heap', 'MB', { part: 0.2, atLeast: 10 }],
  ['files', 'open files', '', { part: 0.05, atLeast: 10 }],
  ['resources', 'active resources', '', { part: 0.2, atLeast: 10 }],
  ['sockets', 'connections', '', { part: 0.2, atLeast: 5 }],
  ['loopDelayMs', 'event loop delay, p99', 'ms', { part: 0.5, atLeast: 10 }],
  ['waitingJobs', 'waiting jobs', '', { part: 0.5, atLeast: 50 }],
]

const LATENCY: Tolerance = { part: 0.5, atLeast: 20 }

/** Everything that was sampled, as series. */
export function seriesOf(periods: readonly Period[]): Series[] {
  const series = (name: string, unit: string, tolerance: Tolerance, value: (period: Period) => number): Series => {
    const points = periods.map((period) => [period.seconds, value(period)] as const)
    return { name, unit, points, trend: trendOf(points, tolerance) }
  }
  return [
    ...figures.map(([key, name, unit, tolerance]) => series(name, unit, tolerance, (period) => period[key])),
    ...(Object.keys(MIX) as Kind[]).map((kind) =>
      series(`${kind}, p95`, 'ms', LATENCY, ({ latencyMs }) => latencyMs[kind]),
    ),
  ]
}
