/** What went wrong in this process and does not go away by itself. Health tells it. */
export interface Troubles {
  add(reason: string): void
  list(): readonly string[]
}

const MOST = 10

export function createTroubles(): Troubles {
  const reasons = new Set<string>()
  return {
    add(reason) {
      if (reasons.size < MOST) reasons.add(reason)
    },
    list: () => [...reasons],
  }
}
