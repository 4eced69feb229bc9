import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { createHub, HEARTBEAT_SECONDS } from './hub.js'
import type { Sink } from './sink.js'

const server = await startServer()
afterAll(() => server.stop())

test('every connection gets a heartbeat every fifteen seconds, with the newest event it has received', async () => {
  const { db, orderer, identities, sessionTokens, mediaUrls, holds } = server.deps
  await server.seed.agents('ann')
  await orderer.settle()
  const hub = createHub({
    isInformed: () => true,
    db,
    orderer,
    identities,
    sessionTokens,
    mediaUrls,
    holds,
    secondMs: 10,
    onError: (error) => {
      throw error
    },
  })
  const readers = Array.from({ length: 40 }, () => {
    const beats: (number | undefined)[] = []
    const sink: Sink = { send: () => {}, drained: async () => {}, end: () => {}, beat: (at) => void beats.push(at) }
    const anyone = { caller: 'x', address: 'x', charged: 'x', viewer: undefined, identify: async () => undefined }
    return { beats, subscription: hub.open({ ...anyone, sink }) }
  })
  const { interests, since } = await hub.prepare(undefined, ['agent:ann'], undefined)
  for (const { subscription } of readers) subscription.add(interests)
  const served = () => readers.filter(({ beats }) => beats.filter((at) => at === since).length >= 3)
  await expect.poll(() => served().length, { timeout: 20_000 }).toBe(readers.length)
  const counts = readers.map(({ beats }) => beats.length)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  expect(HEARTBEAT_SECONDS).toBe(15)
  await hub.close()
})
