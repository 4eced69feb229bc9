import type { HttpRequest } from '../load/start-generator.js'
import type { Workload } from './workloads.js'

/** How many of the requests of a cycle are of this kind. */
export type Part = readonly [weight: number, workload: Workload]

/** Several kinds of requests in one stream, each kind spread evenly over it. */
export function mix(name: string, parts: readonly Part[]): Workload {
  const order = spread(parts.map(([weight]) => weight))
  return {
    name,
    isWrite: true,
    embeds: true,
    // Until each connection to the database has planned the statements of every kind.
    warmUpSeconds: 20,
    requests(data, from, count) {
      const cycles = Math.floor(from / order.length)
      const begun = order.slice(0, from % order.length)
      const kinds = Array.from({ length: count }, (_, index) => order[(from + index) % order.length] ?? 0)
      const streams = parts.map(([weight, workload], kind) => {
        const isOfKind = (other: number) => other === kind
        const [before, wanted] = [cycles * weight + begun.filter(isOfKind).length, kinds.filter(isOfKind).length]
        return (wanted === 0 ? [] : workload.requests(data, before, wanted)).values()
      })
      return kinds.map((kind) => streams[kind]?.next().value as HttpRequest)
    },
  }
}

/** The kinds of one cycle: each as often as its weight says, at even distances. */
function spread(weights: readonly number[]): number[] {
  return weights
    .flatMap((weight, kind) => Array.from({ length: weight }, (_, index) => ({ kind, at: (index + 0.5) / weight })))
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind)
}
