/** How often a cache of this process had what it was asked for. */
export interface CacheCount {
  hits: number
  misses: number
  readonly size: () => number
}

const counts = new Map<string, CacheCount>()

/** Counts a cache under a name, for the metrics. A later cache of the same name takes its place. */
export function countCache(name: string, size: () => number): { note(isHit: boolean): void } {
  const count: CacheCount = { hits: 0, misses: 0, size }
  counts.set(name, count)
  return {
    note(isHit) {
      if (isHit) count.hits++
      else count.misses++
    },
  }
}

export function listCaches(): readonly (readonly [name: string, count: CacheCount])[] {
  return [...counts]
}
