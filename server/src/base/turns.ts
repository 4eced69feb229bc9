/** Runs the work of several callers in turns, so that one with much of it does not hold up the others. */
export interface Turns {
  take<T>(caller: string, work: () => Promise<T>): Promise<T>
}

/** Runs at most `atOnce` pieces of work at a time and one of each caller. Callers with waiting work alternate. */
export function createTurns(atOnce: number): Turns {
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const busy = new Set<string>()

  function startNext(): void {
    if (busy.size >= atOnce) return
    for (const [caller, queue] of waiting) {
      const work = busy.has(caller) ? undefined : queue.shift()
      if (!work) continue
      // Insertion order is the order of turns.
      waiting.delete(caller)
      if (queue.length > 0) waiting.set(caller, queue)
      busy.add(caller)
      void work().finally(() => {
        busy.delete(caller)
        startNext()
      })
      startNext()
      return
    }
  }

  return {
    take: (caller, work) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(caller) ?? []
        queue.push(() => work().then(resolve, reject))
        waiting.set(caller, queue)
        startNext()
      }),
  }
}
