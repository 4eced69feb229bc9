import type { HttpRequest } from '../load/start-generator.js'
import type { RequestData, Workload } from './workloads.js'

interface Pairing {
  /** Of the free pairs, the even or the odd ones are used. */
  readonly turn: 0 | 1
  /** Pairs that are already connected. */
  taken(data: RequestData): readonly string[]
  others(data: RequestData): readonly string[]
  readonly isAmongThemselves?: boolean
  one(id: string): HttpRequest
  /** Absent if a connection cannot be undone by what it connects. */
  undo?(id: string): HttpRequest
}

/**
 * Requests that connect an agent with something else. Each pair occurs once, and none is already connected. When all are,
 * they are undone in the same order and then made again, so that the requests never run out.
 */
export function pairs(name: string, { turn, taken, others, isAmongThemselves = false, one, undo }: Pairing): Workload {
  return {
    name,
    isWrite: true,
    requests(data, from, count) {
      const ids = others(data)
      const isTaken = new Set(taken(data))
      const requests: HttpRequest[] = []
      let place = 0
      for (let pass = 0; ; pass++) {
        const make = pass % 2 === 0 ? one : undo
        if (!make) throw new Error(`${name}: all ${place} pairs are used; seed more tweets`)
        for (const [agent, other] of freePairs(data.agentIds.length, ids.length, isTaken, {
          turn,
          isAmongThemselves,
        })) {
          if (place++ < from) continue
          requests.push({ ...make(ids[other] ?? ''), apiKey: data.keys[agent] ?? '' })
          if (requests.length === count) return requests
        }
        if (place === 0) throw new Error(`${name}: there are no pairs; seed more tweets`)
      }
    },
  }
}

/** Every other free pair, each once. Consecutive pairs have no member in common. */
export function* freePairs(
  agents: number,
  others: number,
  taken: ReadonlySet<string>,
  { turn, isAmongThemselves }: { turn: 0 | 1; isAmongThemselves: boolean },
): Generator<readonly [agent: number, other: number]> {
  const step = Math.max(1, Math.floor(others / agents)) + 1
  for (let shift = turn; shift < others; shift += 2)
    for (let agent = 0; agent < agents; agent++) {
      const other = (shift + agent * step) % others
      if (isAmongThemselves && agent === other) continue
      if (!taken.has(`${agent}:${other}`)) yield [agent, other]
    }
}
