/** Failures of this process that do not go away by themselves. The health endpoint reports them. */
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
