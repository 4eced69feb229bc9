import { MessageChannel } from 'node:worker_threads'
import { createTestClock } from '../../../test/clock.js'
import { type Channel, createLink } from '../../base/link.js'
import { limiterContract } from './limiter.contract.js'
import { createMemoryLimiter } from './memory.js'
import { createPrimaryLimiter, serveLimiter } from './primary.js'

limiterContract('in the primary process', async () => {
  const clock = createTestClock()
  const { port1, port2 } = new MessageChannel()
  const channels = [port1, port2].map(
    (port): Channel => ({
      send: (message) => port.postMessage(JSON.parse(JSON.stringify(message))),
      onMessage: (listener) => void port.on('message', listener),
    }),
  )
  const [near, far] = channels.map(createLink)
  if (!near || !far) throw new Error('no links')
  serveLimiter(createMemoryLimiter(clock), far)
  const limiter = createPrimaryLimiter(near)
  return {
    limiter: { ...limiter, close: async () => port1.close() },
    wait: async (ms) => clock.advance(ms),
  }
})
