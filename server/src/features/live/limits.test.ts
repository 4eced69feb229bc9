import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import type { LiveEvent, Topic } from '@rookery/api'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { openSocket, type TestSocket } from '../../../test/web-socket.js'
import { serveWebSocket } from './websocket.js'

const MOST = 5
const AT_ONCE = 20
const WITHIN = { timeout: 20_000 }
const server = await startServer({ env: { STREAMS_PER_CALLER: String(MOST) } })
const { db, events, orderer } = server.deps
const { hub } = server.features
afterAll(() => server.stop())

const { ann } = await server.seed.agents('ann')
const headers = { 'X-API-Key': ann.apiKey }
const expected = [...Array(MOST).fill('open'), ...Array(AT_ONCE - MOST).fill('429 RATE_LIMITED')]

/** What became of connections that opened at the same moment. */
const openTogether = async (open: () => Promise<string>) =>
  (await Promise.all(Array.from({ length: AT_ONCE }, open))).toSorted().toReversed()

describe('connections that open at the same moment', () => {
  test('are no more than the limit as WebSockets, and all places are free afterwards', async () => {
    for (let round = 0; round < 2; round++) {
      const tickets: string[] = []
      while (tickets.length < AT_ONCE) tickets.push((await ann.client.createTicket()).ticket)
      const sockets: TestSocket[] = []
      const open = async () => {
        // The check of a ticket takes a moment.
        const protocols = ['rookery', `ticket.${tickets.pop()}`]
        return openSocket(server.url, { protocols }).then(
          (socket) => {
            sockets.push(socket)
            return 'open'
          },
          (error: Error) => error.message,
        )
      }
      expect(await openTogether(open)).toEqual(expected)
      for (const socket of sockets) socket.close()
      await expect.poll(() => hub.count(), WITHIN).toBe(0)
    }
  })

  test('are no more than the limit as streams', async () => {
    const ending = new AbortController()
    const open = async () => {
      const { status } = await fetch(`${server.url}/v1/events?topics=tweets`, { headers, signal: ending.signal })
      return status === 200 ? 'open' : `${status} RATE_LIMITED`
    }
    expect(await openTogether(open)).toEqual(expected)
    ending.abort()
    await expect.poll(() => hub.count(), WITHIN).toBe(0)
  })

  test('leave no place taken when they are refused, are no proper handshake, or leave before they are open', async () => {
    const protocols = ['rookery', 'ticket.tk_unknown']
    await expect(openSocket(server.url, { headers, protocols })).rejects.toThrow('401 TICKET_INVALID')
    const { port, hostname } = new URL(server.url)
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket'
    for (let index = 0; index < AT_ONCE; index++) {
      const requests = [`/v1/realtime HTTP/1.1\r\n${upgrade}`, '/v1/events?topics=tweets HTTP/1.1']
      for (const request of requests) {
        const socket = connect(Number(port), hostname)
        await new Promise<void>((resolve) => {
          socket.once('close', () => resolve())
          socket.write(`GET ${request}\r\nHost: localhost\r\nX-API-Key: ${ann.apiKey}\r\n\r\n`, () => socket.destroy())
        })
      }
    }
    await expect.poll(() => hub.count(`agent:${ann.id}`), WITHIN).toBe(0)
    expect(hub.count()).toBe(0)
  })
})

describe('topics', () => {
  test('are a hundred at most on one connection, however they are added', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `topic_${index}`)
    await server.seed.pending(...names)
    const topics = names.map((name): Topic => `agent:${name}`)
    const stream = await fetch(`${server.url}/v1/events?topics=${topics.join()}`)
    expect([stream.status, await stream.json()]).toMatchObject([400, { code: 'INVALID_INPUT' }])
    const socket = await openSocket(server.url)
    await socket.next()
    const subscribe = async (some: Topic[]) => {
      socket.send({ type: 'subscribe', topics: some })
      return socket.next()
    }
    expect(await subscribe(topics.slice(0, 99))).toMatchObject({ type: 'subscribed' })
    const refusal = { type: 'error', code: 'INVALID_INPUT', message: expect.stringContaining('topics') }
    expect(await subscribe(topics.slice(99))).toMatchObject(refusal)
    expect(await subscribe(topics.slice(99, 100))).toMatchObject({ type: 'subscribed' })
    expect(await subscribe(topics.slice(100))).toMatchObject(refusal)
    // Those that it has already are no more.
    expect(await subscribe(topics.slice(0, 100))).toMatchObject({ type: 'subscribed' })
    socket.send({ type: 'unsubscribe', topics: topics.slice(0, 1) })
    expect(await socket.next()).toMatchObject({ type: 'unsubscribed' })
    expect(await subscribe(topics.slice(100))).toMatchObject({ type: 'subscribed' })
    socket.close()
  })

  test('of several agents are replayed together, each event once and in order', async () => {
    const seeded = Object.values(await server.seed.agents('one', 'two', 'three'))
    const draft = (index: number) => ({ type: 'agent.updated' as const, agentId: seeded[index % 3]?.id ?? '' })
    // More than a page.
    await db.transaction((db) =>
      events.append(
        db,
        Array.from({ length: 1_200 }, (_, index) => draft(index)),
      ),
    )
    await orderer.settle()
    const seen: LiveEvent[] = []
    const topics: Topic[] = ['agent:one', 'agent:two', 'agent:three']
    for await (const event of server.client().events({ topics, resume: '0' }))
      if (event.type === 'agent.updated' && seen.push(event) === 1_200) break
    expect(seen.map(({ topic }) => topic).slice(0, 4)).toEqual(['agent:one', 'agent:two', 'agent:three', 'agent:one'])
    const ids = seen.map(({ id }) => Number(id))
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  })
})

describe('a client that asks and never reads', () => {
  test('is disconnected before many answers are buffered for it', async () => {
    const socket = new DeafSocket()
    serveWebSocket({
      hub,
      socket: socket as never,
      caller: 'address:deaf',
      address: 'deaf',
      credential: undefined,
      mostBytes: 1_000,
      charge: async () => {},
      authenticate: () => Promise.reject(new Error('not expected')),
      onError: (error) => expect.fail(error.message),
    })
    for (let index = 0; index < 90; index++) socket.emit('message', Buffer.from('{"type":"ping"}'), false)
    await expect.poll(() => socket.closedWith, WITHIN).toBe(4409)
    expect(socket.bufferedAmount).toBeLessThan(1_100)
    socket.emit('close')
  })
})

/** A WebSocket whose peer takes nothing: the buffers of a real connection hold megabytes before anything waits. */
class DeafSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  closedWith: number | undefined

  send(text: string): void {
    this.bufferedAmount += text.length
  }

  close(code: number): void {
    this.closedWith = code
    this.readyState = 2
  }

  ping(): void {}

  terminate(): void {}
}
