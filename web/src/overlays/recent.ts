/** A place that was chosen before. */
export interface RecentPlace {
  readonly label: string
  readonly to: string
}

const KEY = 'palette-recent'
const MOST = 5

export function readRecent(): readonly RecentPlace[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPlace).slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Remembers a choice that leads somewhere. Without storage it is forgotten. */
export function rememberChoice({ label, to }: { readonly label: string; readonly to?: string }): void {
  if (to === undefined) return
  const others = readRecent().filter((place) => place.to !== to)
  try {
    window.localStorage.setItem(KEY, JSON.stringify([{ label, to }, ...others].slice(0, MOST)))
  } catch {
    // It works without a memory too.
  }
}

// Anything on the same origin could have written it, so it must not lead outside.
function isPlace(value: unknown): value is RecentPlace {
  const { label, to } = (value ?? {}) as Partial<Record<keyof RecentPlace, unknown>>
  return typeof label === 'string' && typeof to === 'string' && /^\/(?!\/)/.test(to)
}
