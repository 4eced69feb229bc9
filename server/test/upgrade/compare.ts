/** How an answer differs from a stored one. */
export interface Differences {
  /** Values that are missing or different, by their place in the answer. */
  readonly changed: string[]
  /** Names of fields that the stored answer does not have. */
  readonly added: string[]
}

// Cursors are opaque and expire.
const OPAQUE = new Set(['nextCursor', 'cursor'])

export function compareAnswers(kept: unknown, now: unknown, place = ''): Differences {
  if (Array.isArray(kept) && Array.isArray(now) && kept.length === now.length)
    return join(kept.map((value, index) => compareAnswers(value, now[index], `${place}[${index}]`)))
  if (!isRecord(kept) || !isRecord(now)) return { changed: same(kept, now) ? [] : [says(place, kept, now)], added: [] }
  const fields = Object.keys(kept).filter((name) => !OPAQUE.has(name))
  const inside = join(fields.map((name) => compareAnswers(kept[name], now[name], `${place}.${name}`)))
  return { changed: inside.changed, added: [...Object.keys(now).filter((name) => !(name in kept)), ...inside.added] }
}

function join(parts: Differences[]): Differences {
  return { changed: parts.flatMap(({ changed }) => changed), added: parts.flatMap(({ added }) => added) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const says = (place: string, kept: unknown, now: unknown) =>
  `${place}: ${JSON.stringify(kept)} is ${JSON.stringify(now)}`
