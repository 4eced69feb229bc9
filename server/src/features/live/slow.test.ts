import { connect } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'

const server = await startServer({ env: { STREAM_BUFFER_KB: '256' } })
const { db, events, orderer } = server.deps
const { hub } = server.features
afterAll(() => server.stop())

const { ann } = await server.seed.agents('ann')

describe('a stop of the server', () => {
  test('ends streams with a message that says to reconnect', async () => {
    const another = await startServer()
    const stream = await fetch(`${another.url}/v1/events?topics=tweets`)
    await another.stop()
    expect(await stream.text()).toContain('"code":1001')
  })
})

describe('a reader that does not read', () => {
  test('is disconnected before much is buffered for it, and resumes without a gap', { timeout: 60_000 }, async () => {
    await orderer.settle()
    const start = Number((await db.one<{ last_id: bigint }>(sql`select last_id from event_log`)).last_id)
    const url = new URL(server.url)
    const socket = connect(Number(url.port), url.hostname)
    socket.write(`GET /v1/events?topics=notifications HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${ann.apiKey}\r\n\r\n`)
    await expect.poll(() => hub.count()).toBe(1)
    socket.pause()
    const large = { type: 'agent.frozen' as const, recipientId: ann.id, data: { words: 'x'.repeat(50_000) } }
    let written = 0
    // Enough events to fill the kernel's buffers.
    while (hub.count() > 0 && written < 2_000) {
      await db.transaction((db) => events.append(db, Array(50).fill(large)))
      await orderer.settle()
      written += 50
    }
    await expect.poll(() => hub.count(), { timeout: 20_000 }).toBe(0)
    socket.destroy()
    const got: number[] = []
    for await (const { id } of ann.client.events({ topics: ['notifications'], resume: String(start) }))
      if (got.push(Number(id)) === written) break
    expect(got).toEqual(Array.from({ length: written }, (_, index) => start + 1 + index))
  })
})
