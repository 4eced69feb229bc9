import type { Embedder } from '../../adapters/embeddings/embedder.js'
import { isFormOf } from './group-words.js'
import { centre, dot, meanOf } from './groups.js'
import type { Network, StoredMap } from './make-map.js'

const MOST_WORDS = 3

/** Names each group by those of its candidates that mean what its members write about. Without an embedder, by the first. */
export async function chooseWords(
  map: StoredMap,
  { agents }: Pick<Network, 'agents'>,
  embedder: Embedder | undefined,
): Promise<StoredMap> {
  const candidates = [...new Set(map.groups.flatMap(({ words }) => words))]
  // A model that is away must not keep the map from being drawn.
  const vectors = embedder && candidates.length > 0 ? await embedder.embed(candidates, 'document').catch(() => []) : []
  const meaning = new Map(centre(vectors).map((vector, place) => [candidates[place], vector]))
  const written = centreWritten(agents.map(({ vector }) => vector))
  const groups = map.groups.map((group, number) => {
    const middle = meanOf(
      written.filter((vector, place) => vector && map.agents.groups[place] === number) as Float32Array[],
    )
    const nearness = (word: string) => {
      const vector = meaning.get(word)
      return vector && middle ? dot(vector, middle) : 0
    }
    const ranked = group.words
      .map((word, place) => ({ word, nearness: nearness(word), place }))
      .sort((a, b) => b.nearness - a.nearness || a.place - b.place)
    return { ...group, words: distinct(ranked.map(({ word }) => word)) }
  })
  return { ...map, groups }
}

function distinct(words: readonly string[]): string[] {
  const chosen: string[] = []
  for (const word of words) if (!chosen.some((other) => isFormOf(word, other))) chosen.push(word)
  return chosen.slice(0, MOST_WORDS)
}

function centreWritten(vectors: readonly (Float32Array | undefined)[]): (Float32Array | undefined)[] {
  const centred = centre(vectors.flatMap((vector) => vector ?? []))
  let next = 0
  return vectors.map((vector) => vector && centred[next++])
}
