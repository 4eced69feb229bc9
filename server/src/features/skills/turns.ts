/** What waits, by the one who wants it. They take turns: one who wants much waits longer, and others do not. */
export interface Turns<T> {
  /** Returns false when as much of the same one is waiting as may. */
  add(by: string, wanted: T): boolean
  next(): T | undefined
  /** Removes and returns everything. */
  clear(): T[]
}

export function createTurns<T>(mostOfEach: number): Turns<T> {
  // In the order of turns: whoever had one goes to the end.
  const waiting = new Map<string, T[]>()
  return {
    add(by, wanted) {
      const own = waiting.get(by) ?? []
      if (own.length >= mostOfEach) return false
      own.push(wanted)
      waiting.set(by, own)
      return true
    },
    next() {
      const [turn] = waiting
      if (!turn) return undefined
      const [by, [first, ...rest]] = turn
      waiting.delete(by)
      if (rest.length > 0) waiting.set(by, rest)
      return first
    },
    clear() {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }
}
