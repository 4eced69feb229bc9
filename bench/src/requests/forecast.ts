import { spanText } from '../output/span-text.js'
import { WARM_UP_SECONDS } from './measure.js'
import type { Workload } from './workloads.js'

interface Extent {
  readonly seconds: number
  readonly rounds: number
  readonly connections: readonly number[]
}

// Around a measurement: waiting until everything is quiet, and making the requests.
const AROUND_SECONDS = 2

/** Says how far a run is, and how long the rest will take. */
export class Forecast {
  readonly #workloads: readonly Workload[]
  readonly #planned: readonly number[]
  readonly #now: () => number
  readonly #startedAt: number

  constructor(workloads: readonly Workload[], extent: Extent, targets: number, now = () => performance.now()) {
    this.#workloads = workloads
    this.#planned = workloads.map((workload) => plannedSeconds(workload, extent) * targets)
    this.#now = now
    this.#startedAt = now()
  }

  /** A line about the workload that begins now. What the earlier ones took beyond their plan is expected of the others. */
  begin(workload: Workload): string {
    const place = this.#workloads.indexOf(workload)
    const done = sum(this.#planned.slice(0, place))
    const factor = done === 0 ? 1 : (this.#now() - this.#startedAt) / 1000 / done
    const left = sum(this.#planned.slice(place)) * factor
    return `[${place + 1}/${this.#workloads.length}] ${workload.name} … ${spanText(left)} to go`
  }
}

function plannedSeconds(
  { isWrite, warmUpSeconds = WARM_UP_SECONDS }: Workload,
  { seconds, rounds, connections }: Extent,
): number {
  return warmUpSeconds + connections.length * rounds * (seconds + (isWrite ? AROUND_SECONDS : 0)) + AROUND_SECONDS
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
