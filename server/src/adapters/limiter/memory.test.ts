import { createTestClock } from '../../../test/clock.js'
import { limiterContract } from './limiter.contract.js'
import { createMemoryLimiter } from './memory.js'

limiterContract('in-process', async () => {
  const clock = createTestClock()
  return { limiter: createMemoryLimiter(clock), wait: async (ms) => clock.advance(ms) }
})
