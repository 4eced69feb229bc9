import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { limiterContract } from './limiter.contract.js'
import { createMemoryLimiter } from './memory.js'

limiterContract('in-process', async () => {
  const clock = createTestClock()
  return { limiter: createMemoryLimiter(clock), wait: async (ms) => clock.advance(ms) }
})

test('the in-process limiter answers at once, so that nobody waits for it', () => {
  const limiter = createMemoryLimiter(createTestClock())
  expect(limiter.take('once', { limit: 1, windowMs: 1_000 })).toMatchObject({ allowed: true, remaining: 0 })
})
