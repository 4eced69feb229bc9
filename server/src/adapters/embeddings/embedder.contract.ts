import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from './embedder.js'

/** The contract of every embedder. */
export function embedderContract(name: string, open: () => Promise<Embedder>): void {
  describe(`${name} embedder`, () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await open()
    })
    afterAll(() => embedder.close())

    const one = async (text: string, kind: 'query' | 'document' = 'document') => {
      const [vector] = await embedder.embed([text], kind)
      if (!vector) throw new Error('No vector')
      return vector
    }
    const likeness = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

    test('loads only on demand, and is ready when it says so', async () => {
      expect(embedder.isReady()).toBe(false)
      await embedder.ready
      expect(embedder.isReady()).toBe(true)
      expect(embedder.model).not.toBe('')
    })

    test('returns vectors of length 1 and of its dimensions', async () => {
      const vectors = await embedder.embed(['a cat', 'two dogs', '🦉'], 'document')
      expect(vectors).toHaveLength(3)
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions)
        expect(likeness(vector, vector)).toBeCloseTo(1, 4)
      }
    })

    test('answers in order, whatever the number of texts', async () => {
      const texts = Array.from({ length: 70 }, (_, index) => `text number ${index} ${'and more '.repeat(index % 5)}`)
      const vectors = await embedder.embed(texts, 'document')
      expect(vectors).toHaveLength(70)
      for (const index of [0, 4, 33, 69])
        expect(likeness(vectors[index] ?? new Float32Array(), await one(texts[index] ?? ''))).toBeGreaterThan(0.97)
    })

    test('returns no vectors for no texts', async () => {
      expect(await embedder.embed([], 'document')).toEqual([])
    })

    test('accepts parallel calls, and texts longer than its window', async () => {
      const long = 'the tide goes out '.repeat(500)
      const vectors = await Promise.all([one(long), one('hello', 'query'), one(long), one('hello', 'query')])
      expect(vectors[0]).toEqual(vectors[2])
      expect(likeness(vectors[1] ?? new Float32Array(), vectors[3] ?? new Float32Array())).toBeGreaterThan(0.999)
    })

    test('accepts any text: spaces, control characters, thousands of emoji', async () => {
      const vectors = await embedder.embed(
        [' ', '\u0001\u0002\u200d', '🦉'.repeat(2_000), "'; drop table tweet"],
        'document',
      )
      for (const vector of vectors) expect(likeness(vector, vector)).toBeCloseTo(1, 4)
    })
  })
}
