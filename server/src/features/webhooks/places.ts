/** Limits how many deliveries go to the webhooks of one agent, and to one receiving host, at a time. */
export interface Places {
  /** Returns a function that frees the place; undefined when the agent or the host has none left. */
  take(webhookId: string, keys: readonly string[]): (() => void) | undefined
}

const MOST_PER_KEY = 2

/** `onFree` gets a webhook that found no place, when it may find one. */
export function createPlaces(onFree: (webhookId: string) => void): Places {
  const taken = new Map<string, number>()
  const refused = new Map<string, Set<string>>()

  function free(key: string): void {
    const count = (taken.get(key) ?? 0) - 1
    if (count > 0) taken.set(key, count)
    else taken.delete(key)
    const waiting = refused.get(key)
    const [next] = waiting ?? []
    if (next === undefined) return
    waiting?.delete(next)
    if (waiting?.size === 0) refused.delete(key)
    onFree(next)
  }

  return {
    take(webhookId, keys) {
      const full = keys.find((key) => (taken.get(key) ?? 0) >= MOST_PER_KEY)
      if (full !== undefined) {
        refused.set(full, (refused.get(full) ?? new Set()).add(webhookId))
        return undefined
      }
      for (const key of keys) taken.set(key, (taken.get(key) ?? 0) + 1)
      return () => {
        for (const key of keys) free(key)
      }
    },
  }
}
