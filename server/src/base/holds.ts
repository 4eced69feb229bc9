import type { Link } from './link.js'

/** What is held at the moment under a key, and how much of it there may be. */
export interface Hold {
  readonly key: string
  readonly most: number
}

/** Counts what callers hold at the moment, such as open connections: in this process, or in all that serve its port. */
export interface Holds {
  /** Takes one of each, unless a key has reached its most: then takes none, and resolves with that one. Counted at once. */
  take(holds: readonly Hold[]): Promise<Hold | undefined>
  /** Takes one of each, whatever the most is: for what was let in before under another take. */
  add(keys: readonly string[]): void
  /** Gives back one of each. */
  give(keys: readonly string[]): void
}

type Counts = Map<string, number>

function count(counts: Counts, keys: readonly string[], by: 1 | -1): void {
  for (const key of keys) {
    const next = (counts.get(key) ?? 0) + by
    if (next > 0) counts.set(key, next)
    else counts.delete(key)
  }
}

const keysOf = (holds: readonly Hold[]) => holds.map(({ key }) => key)

export function createHolds(): Holds {
  const counts: Counts = new Map()
  return {
    async take(holds) {
      const full = holds.find(({ key, most }) => (counts.get(key) ?? 0) >= most)
      if (full) return full
      count(counts, keysOf(holds), 1)
      return undefined
    },
    add: (keys) => count(counts, keys, 1),
    give: (keys) => count(counts, keys, -1),
  }
}

/** Counts in the process at the other end. */
export function createPrimaryHolds(primary: Link): Holds {
  return {
    take: async (holds) => ((await primary.ask('holds.take', holds)) as Hold | null) ?? undefined,
    add: (keys) => primary.tell('holds.add', keys),
    give: (keys) => primary.tell('holds.give', keys),
  }
}

/** Answers such a process. Returns what gives everything back that it holds, for when it has ended. */
export function serveHolds(holds: Holds, link: Link): () => void {
  const held: Counts = new Map()
  link.on('holds.take', async (wanted: readonly Hold[]) => {
    const full = await holds.take(wanted)
    if (full) return full
    count(held, keysOf(wanted), 1)
    return null
  })
  link.on('holds.add', (keys: readonly string[]) => {
    holds.add(keys)
    count(held, keys, 1)
  })
  link.on('holds.give', (keys: readonly string[]) => {
    holds.give(keys)
    count(held, keys, -1)
  })
  return () => {
    for (const [key, many] of held) for (let left = many; left > 0; left--) holds.give([key])
    held.clear()
  }
}
