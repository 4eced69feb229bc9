import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Limiter } from './limiter.js'

/** The contract of every limiter. `wait` lets the given time pass. */
export function limiterContract(
  name: string,
  open: () => Promise<{ limiter: Limiter; wait(ms: number): Promise<void> }>,
): void {
  describe(`${name} limiter`, () => {
    let limiter: Limiter
    let wait: (ms: number) => Promise<void>
    beforeAll(async () => {
      ;({ limiter, wait } = await open())
    })
    afterAll(() => limiter?.close())
    const rule = { limit: 5, windowMs: 1_000 }

    test('admits exactly the limit of parallel calls', async () => {
      const taken = await Promise.all(Array.from({ length: 20 }, () => limiter.take('parallel', rule)))
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(5)
      expect(taken.map(({ remaining }) => remaining).sort()).toEqual([...Array(16).fill(0), 1, 2, 3, 4])
    })

    test('reports what is left without using any of it', async () => {
      expect(await limiter.remaining('left', rule)).toBe(5)
      await limiter.take('left', rule)
      expect([await limiter.remaining('left', rule), await limiter.remaining('left', rule)]).toEqual([4, 4])
    })

    test('keeps buckets apart', async () => {
      await Promise.all(Array.from({ length: 5 }, () => limiter.take('one', rule)))
      expect((await limiter.take('one', rule)).allowed).toBe(false)
      expect((await limiter.take('two', rule)).allowed).toBe(true)
    })

    test('admits exactly the ceiling of several buckets, and counts a refused call in neither', async () => {
      const ceiling = { bucket: 'wide', limit: 12 }
      const flood = await Promise.all(Array.from({ length: 20 }, () => limiter.take('narrow 1', rule, ceiling)))
      expect(flood.filter(({ allowed }) => allowed)).toHaveLength(5)
      // The fifteen refused calls have not used the ceiling up.
      expect(await limiter.remaining('narrow 2', rule, ceiling)).toBe(5)
      const others = await Promise.all(
        Array.from({ length: 20 }, (_, index) => limiter.take(`narrow ${2 + (index % 4)}`, rule, ceiling)),
      )
      expect(others.filter(({ allowed }) => allowed)).toHaveLength(7)
      const refused = await limiter.take('narrow 9', rule, ceiling)
      expect([refused.allowed, refused.remaining]).toEqual([false, 0])
      expect(await limiter.remaining('narrow 9', rule, ceiling)).toBe(0)
      // Refused by the ceiling alone, so its own bucket is still full.
      expect(await limiter.remaining('narrow 9', rule)).toBe(5)
    })

    test('resets when the window ends, and reports when that is', async () => {
      const { resetAt } = await limiter.take('window', { limit: 1, windowMs: 400 })
      const refused = await limiter.take('window', { limit: 1, windowMs: 400 })
      expect(refused.allowed).toBe(false)
      expect(Math.abs(refused.resetAt.getTime() - resetAt.getTime())).toBeLessThan(100)
      await wait(450)
      expect((await limiter.take('window', { limit: 1, windowMs: 400 })).allowed).toBe(true)
    })
  })
}
