import { describe, expect, test } from 'vitest'
import type { Db } from '../db/db.js'
import type { Collection, Text } from './collections.js'
import { embedAndStore } from './embed.js'
import type { Serving } from './models.js'

const at = new Date(0)
const texts: Text[] = Array.from({ length: 70 }, (_, n) => ({
  id: String(n),
  text: 'x'.repeat(((n * 37) % 70) + 1),
  at,
}))

describe('a set of texts', () => {
  test('is embedded from the shortest to the longest and stored a few at a time, each vector with its text', async () => {
    const embedded: number[][] = []
    const stored: [Text, Float32Array][][] = []
    const embed = async (all: readonly string[]) => {
      embedded.push(all.map(({ length }) => length))
      return all.map(({ length }) => Float32Array.of(length))
    }
    const collection = {
      store: async (_db: Db, _model: unknown, some: readonly Text[], vectors: readonly Float32Array[]) =>
        void stored.push(some.map((text, index) => [text, vectors[index] ?? new Float32Array()])),
    }
    await embedAndStore(
      {} as Db,
      { embedder: { embed } } as unknown as Serving,
      collection as never as Collection,
      texts,
    )
    expect(embedded.map(({ length }) => length)).toEqual([32, 32, 6])
    expect(embedded.flat()).toEqual(Array.from({ length: 70 }, (_, n) => n + 1))
    expect(Math.max(...stored.map(({ length }) => length))).toBe(8)
    expect(stored.flat()).toHaveLength(70)
    for (const [{ text }, vector] of stored.flat()) expect(vector[0]).toBe(text.length)
  })
})
