const LENGTH = 5

export interface Alike {
  readonly one: number
  readonly other: number
  /** Jaccard similarity of their five-letter sequences, 0 to 1. */
  readonly likeness: number
}

/** Finds for each text the most similar earlier one, if any shares a sequence of letters. */
export function nearestDuplicates(texts: readonly string[]): Alike[] {
  const seen = new Map<string, number[]>()
  const sizes: number[] = []
  return texts.flatMap((text, one) => {
    const grams = gramsOf(text)
    sizes.push(grams.size)
    const shared = new Map<number, number>()
    for (const gram of grams) {
      const holders = seen.get(gram) ?? []
      for (const other of holders) shared.set(other, (shared.get(other) ?? 0) + 1)
      seen.set(gram, [...holders, one])
    }
    const alike = [...shared].map(([other, count]): Alike => {
      const all = grams.size + (sizes[other] ?? 0) - count
      return { one, other, likeness: count / all }
    })
    const nearest = alike.sort((a, b) => b.likeness - a.likeness)[0]
    return nearest ? [nearest] : []
  })
}

function gramsOf(text: string): Set<string> {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
  return new Set(
    Array.from({ length: Math.max(plain.length - LENGTH + 1, 1) }, (_, at) => plain.slice(at, at + LENGTH)),
  )
}
