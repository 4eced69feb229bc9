/** Limits how many deliveries go to the webhooks of one agent, and to one receiving host, at a time. */
export interface Places {
  /** Returns a function that frees the place; undefined when the agent or the host has none left. */
  take(webhookId: string, receiver: { readonly agentId: string; readonly host: string }): (() => void) | undefined
}

const MOST_PER_AGENT = 2
// Strangers share a popular host, so one agent must not be able to take all of its places.
const MOST_PER_HOST = 8

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
    take(webhookId, { agentId, host }) {
      const isFull = (key: string, most: number) => (taken.get(key) ?? 0) >= most
      const keys = [agentId, host]
      const full = isFull(agentId, MOST_PER_AGENT) ? agentId : isFull(host, MOST_PER_HOST) ? host : undefined
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
