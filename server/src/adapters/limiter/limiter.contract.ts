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
