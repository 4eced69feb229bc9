import { describe, expect, test } from 'vitest'
import { EmbeddingRefused } from '../../adapters/embeddings/embedder.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Collection, Text } from './collections.js'
import { embedAndStore } from './embed.js'
import type { Serving } from './models.js'

const at = new Date(0)
const texts: Text[] = Array.from({ length: 70 }, (_, n) => ({
  id: String(n),
  text: 'x'.repeat(((n * 37) % 70) + 1),
  at,
}))

async function embedAll(engine: 'postgres' | 'embedded', refused?: string) {
  const sizes: number[] = []
  const stored: [Text, Float32Array][][] = []
  const embed = async (all: readonly string[]) => {
    sizes.push(all.length)
    if (refused && all.includes(refused)) throw new EmbeddingRefused()
    return all.map(({ length }) => Float32Array.of(length))
  }
  const collection = {
    store: async (_db: Db, _model: unknown, some: readonly Text[], vectors: readonly Float32Array[]) =>
      void stored.push(some.map((text, index) => [text, vectors[index] ?? new Float32Array()])),
  }
  await embedAndStore(
    { db: {}, database: { engine } } as Pick<Deps, 'db' | 'database'>,
    { embedder: { embed } } as unknown as Serving,
    collection as never as Collection,
    texts,
  )
  return { sizes, stored }
}

describe('a set of texts', () => {
  test('is embedded together and stored in chunks, each vector with its text', async () => {
    const { sizes, stored } = await embedAll('postgres')
    expect(sizes).toEqual([70])
    expect(stored.map(({ length }) => length)).toEqual([32, 32, 6])
    for (const [{ text }, vector] of stored.flat()) expect(vector[0]).toBe(text.length)
  })

  test('is stored in smaller chunks on the embedded engine', async () => {
    const { stored } = await embedAll('embedded')
    expect(Math.max(...stored.map(({ length }) => length))).toBe(8)
    expect(stored.flat()).toHaveLength(70)
  })

  test('is embedded except for refused texts', async () => {
    const { stored } = await embedAll('postgres', 'x'.repeat(12))
    expect(stored.flat().map(([{ text }]) => text.length)).not.toContain(12)
    expect(stored.flat()).toHaveLength(69)
    for (const [{ text }, vector] of stored.flat()) expect(vector[0]).toBe(text.length)
  })
})
