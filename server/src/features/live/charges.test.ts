import type { ServerMessage } from '@rookery/api'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { openSocket, type TestSocket } from '../../../test/web-socket.js'
import { createTurns } from '../../base/turns.js'
import type { NewEvent } from '../../foundation/events/log.js'
import type { OutgoingEvent } from './outgoing-event.js'
import type { Sink } from './sink.js'

const READS = 60
const WITHIN = { timeout: 20_000 }
const server = await startServer({
  env: { RATE_LIMIT_READS: String(READS), STREAMS_PER_CALLER: '20', STREAMS_PER_ADDRESS: '30' },
})
const { db, events, orderer } = server.deps
const { hub } = server.features
afterAll(() => server.stop())

const { ann, ben } = await server.seed.agents('ann', 'ben')

/** Lets the allowances of earlier tests begin again. */
const nextMinute = () => server.clock.advance(61_000)

async function readUntilEnd(socket: TestSocket): Promise<ServerMessage[]> {
  const messages: ServerMessage[] = []
  try {
    for (;;) messages.push(await socket.next())
  } catch {
    return messages
  }
}

async function append(count: number, happening: NewEvent): Promise<void> {
  await db.transaction((db) => events.append(db, Array(count).fill(happening)))
  await orderer.settle()
}

const lastId = async () => Number((await db.one<{ last_id: bigint }>(sql`select last_id from event_log`)).last_id)
const codesOf = (messages: readonly ServerMessage[]) =>
  messages.flatMap((message) => (message.type === 'error' ? message.code : []))

test('live connections of one IPv6 site are sixteen times those of a line at most', async () => {
  const proxied = await startServer({
    env: { TRUST_PROXY: '1', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes', STREAMS_PER_ADDRESS: '1' },
  })
  const connect = (address: string) =>
    openSocket(proxied.url, { headers: { 'X-Forwarded-For': address } }).then(
      () => 'open',
      (error: Error) => error.message,
    )
  for (let line = 0; line < 16; line++) expect(await connect(`2001:db8:1:${line}::1`)).toBe('open')
  expect(await connect('2001:db8:1:1::2')).toBe('429 RATE_LIMITED')
  expect(await connect('2001:db8:1:ffff::1')).toBe('429 RATE_LIMITED')
  expect(await connect('2001:db8:2:1::1')).toBe('open')
  await proxied.stop()
})

describe('messages on a WebSocket', () => {
  test('count like reads of the address; one that goes on beyond the limit is disconnected', async () => {
    nextMinute()
    const socket = await openSocket(server.url)
    for (let index = 0; index < 99; index++) socket.send({ type: 'resume', resume: '0', requestId: `${index}` })
    expect(await socket.ended).toBe(4429)
    const messages = await readUntilEnd(socket)
    const refusals = messages.filter((message) => message.type === 'error' && message.code === 'RATE_LIMITED')
    // The upgrade was a read, too. The first message says that the connection is ready.
    expect(messages).toHaveLength(1 + (READS - 1) + refusals.length)
    expect(refusals).toHaveLength(11)
    expect(refusals[0]).toMatchObject({ requestId: '59' })
    expect((refusals[0] as { retryAfter?: number }).retryAfter).toBeGreaterThan(0)
    const call = await fetch(`${server.url}/v1/tweets`)
    expect(call.status).toBe(429)
    expect((await fetch(`${server.url}/v1/tweets`, { headers: { 'X-API-Key': ann.apiKey } })).status).toBe(200)
  })

  test('count against the key once it has authenticated, and a ping never', async () => {
    nextMinute()
    const socket = await openSocket(server.url)
    await socket.next()
    socket.send({ type: 'auth', apiKey: ann.apiKey })
    expect(await socket.next()).toMatchObject({ type: 'authenticated' })
    for (let index = 0; index < 20; index++) socket.send({ type: 'ping' })
    for (let index = 0; index < 20; index++) expect(await socket.next()).toMatchObject({ type: 'pong' })
    for (let index = 0; index < 10; index++) socket.send({ type: 'subscribe', topics: ['trades'] })
    for (let index = 0; index < 10; index++) expect(await socket.next()).toMatchObject({ type: 'subscribed' })
    const remaining = async (headers: Record<string, string> = {}) =>
      Number((await fetch(`${server.url}/v1/tweets`, { headers })).headers.get('x-ratelimit-remaining'))
    expect(await remaining({ 'X-API-Key': ann.apiKey })).toBe(READS - 11)
    expect(await remaining()).toBe(READS - 3)
    socket.close()
  })

  test('have at most one replay under way', async () => {
    nextMinute()
    await append(1_000, { type: 'agent.updated', agentId: ann.id })
    const socket = await openSocket(server.url)
    await socket.next()
    socket.send({ type: 'subscribe', topics: ['agent:ann'] })
    expect(await socket.next()).toMatchObject({ type: 'subscribed' })
    const end = await lastId()
    for (let index = 0; index < 30; index++) socket.send({ type: 'resume', resume: String(end - 1_000) })
    for (let index = 0; index < 10; index++)
      socket.send({ type: 'subscribe', topics: ['agent:ben'], resume: String(end - 1_000) })
    const messages: ServerMessage[] = []
    while (messages.filter(({ type }) => type === 'agent.updated').length < 1_000) messages.push(await socket.next())
    const answers = messages.filter((message) => message.type !== 'agent.updated')
    // Every page of the first replay needs queries of its own, so most of the messages arrive during it.
    expect(answers.filter(({ type }) => type === 'resumed').length).toBeLessThan(5)
    expect(codesOf(answers)).toContain('REPLAY_RUNNING')
    socket.close()
  })
})

describe('connections', () => {
  test('have a limit for each caller, and one for each address that keys do not raise', async () => {
    nextMinute()
    const refusal = (opening: Promise<TestSocket>) =>
      opening.then(
        () => 'opened',
        (error: Error) => error.message,
      )
    const open = (apiKey?: string) =>
      openSocket(server.url, apiKey === undefined ? {} : { headers: { 'X-API-Key': apiKey } })
    await expect.poll(() => hub.count(), WITHIN).toBe(0)
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(ann.apiKey)))
    expect(await refusal(open(ann.apiKey))).toBe('429 RATE_LIMITED')
    sockets.push(...(await Promise.all(Array.from({ length: 10 }, () => open()))))
    expect(await refusal(open(ben.apiKey))).toBe('429 RATE_LIMITED')
    const stream = await fetch(`${server.url}/v1/events?topics=tweets`, { headers: { 'X-API-Key': ben.apiKey } })
    expect(stream.status).toBe(429)
    for (const socket of sockets) socket.close()
    await expect.poll(() => hub.count(), WITHIN).toBe(0)
    ;(await open(ben.apiKey)).close()
    await expect.poll(() => hub.count(), WITHIN).toBe(0)
  })
})

describe('fifty rewinding connections of one caller', () => {
  /** Opens a connection to the hub itself, to see each page as it is sent. */
  async function connect(caller: string, { since, onSend }: { since?: number; onSend: (ids: number[]) => void }) {
    const sink: Sink = {
      send: (page: readonly OutgoingEvent[]) => onSend(page.map(({ id }) => id)),
      drained: async () => {},
      beat: () => {},
      end: () => {},
    }
    const anyone = { viewer: undefined, identify: async () => undefined, address: caller }
    const subscription = hub.open({ ...anyone, caller, charged: caller, sink })
    const prepared = await hub.prepare(undefined, ['agent:ann'], since === undefined ? undefined : String(since))
    subscription.add(prepared.interests, { isReplay: since !== undefined })
    return subscription
  }

  test('hold up neither live events of others nor a replay of theirs for more than a few pages', async () => {
    await append(1_000, { type: 'agent.updated', agentId: ann.id })
    const end = await lastId()
    const since = end - 1_000
    let pages = 0
    const live: number[] = []
    const reader = await connect('address:reader', { onSend: (ids) => live.push(...ids) })
    await expect.poll(() => reader.topics, WITHIN).toEqual(['agent:ann'])
    const attackers = await Promise.all(
      Array.from({ length: 50 }, () =>
        connect('address:attacker', {
          since,
          onSend: () => void pages++,
        }),
      ),
    )
    await expect.poll(() => pages, WITHIN).toBeGreaterThan(0)
    const pagesBefore = pages
    let pagesUntilLive = Number.POSITIVE_INFINITY
    let pagesUntilReplayed = Number.POSITIVE_INFINITY
    const replayed: number[] = []
    const late = await connect('address:late', {
      since: end - 500,
      onSend(ids) {
        replayed.push(...ids)
        if (replayed.includes(end)) pagesUntilReplayed = Math.min(pagesUntilReplayed, pages - pagesBefore)
      },
    })
    await append(3, { type: 'agent.updated', agentId: ann.id })
    await expect
      .poll(
        () => {
          if (live.length >= 3) pagesUntilLive = Math.min(pagesUntilLive, pages - pagesBefore)
          return live
        },
        { ...WITHIN, interval: 5 },
      )
      .toEqual([end + 1, end + 2, end + 3])
    await expect
      .poll(() => replayed.slice(0, 500), WITHIN)
      .toEqual(Array.from({ length: 500 }, (_, i) => end - 499 + i))
    // Without turns the replay would wait for a page of each of the fifty.
    expect(pagesUntilReplayed).toBeLessThan(20)
    expect(pagesUntilLive).toBeLessThan(20)
    for (const subscription of [reader, late, ...attackers]) subscription.close()
  })

  test('take turns: each caller runs one piece of work at a time, and the next caller is next', async () => {
    const turns = createTurns(2)
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(name)
      await Promise.resolve()
    }
    const all = [
      ...['a1', 'a2', 'a3', 'a4'].map((name) => turns.take('a', work(name))),
      ...['b1', 'b2'].map((name) => turns.take('b', work(name))),
      turns.take('c', work('c1')),
      turns.take('a', () => Promise.reject(new Error('broken'))).catch(({ message }: Error) => order.push(message)),
    ]
    await Promise.all(all)
    expect(order.slice(0, 5)).toEqual(['a1', 'b1', 'a2', 'b2', 'c1'])
    expect(order.at(-1)).toBe('broken')
  })
})
