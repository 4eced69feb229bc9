import type { LiveEvent, Topic } from '@rookery/sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHub, type OpenChannel } from './hub.js'

interface Connection {
  readonly topics: readonly Topic[]
  readonly resume: string | undefined
  readonly signal: AbortSignal
  open(): void
  reach(position: string): void
  restart(): void
  lose(): void
  send(id: string): Promise<void>
}

let connections: Connection[] = []
beforeEach(() => {
  connections = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)

const openChannel: OpenChannel = async function* (topics, { resume, signal, opened, reached, lost, restarted }) {
  const waiting: (() => void)[] = []
  const events: LiveEvent[] = []
  async function push(event: LiveEvent): Promise<void> {
    events.push(event)
    waiting.shift()?.()
    await settle()
  }
  connections.push({
    topics,
    resume,
    signal,
    open: opened,
    reach: reached,
    restart: restarted,
    lose: lost,
    send: (id) => push({ id, topic: 'trades', type: 'trade.pending' } as LiveEvent),
  })
  while (!signal.aborted) {
    const event = events.shift()
    if (event) yield event
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

describe('the hub', () => {
  test('has one connection for all topics, and passes each event to every listener', async () => {
    const hub = createHub(openChannel)
    const received: string[] = []
    hub.listen(['trades'], ({ id }) => received.push(`a${id}`))
    hub.listen(['tweets', 'trades'], ({ id }) => received.push(`b${id}`))
    await settle()
    expect(connections.map(({ topics }) => topics)).toEqual([['trades', 'tweets']])
    await connections[0]?.send('1')
    expect(received).toEqual(['a1', 'b1'])
  })

  test('goes on where the stream is when the topics change before anything has happened', async () => {
    const hub = createHub(openChannel)
    hub.listen(['trades'], () => {})
    await settle()
    connections[0]?.open()
    connections[0]?.reach('41')
    hub.listen(['tweets'], () => {})
    await settle()
    expect(connections.map(({ resume }) => resume)).toEqual([undefined, '41'])
  })

  test('forgets the last event when the stream had to restart without it', async () => {
    const hub = createHub(openChannel)
    hub.listen(['trades'], () => {})
    await settle()
    await connections[0]?.send('7')
    connections[0]?.restart()
    hub.listen(['tweets'], () => {})
    await settle()
    expect(connections.map(({ resume }) => resume)).toEqual([undefined, undefined])
  })

  test('is live from the answer of the service until the connection breaks', async () => {
    const hub = createHub(openChannel)
    const states: string[] = []
    hub.watch(() => states.push(hub.state()))
    hub.listen(['trades'], () => {})
    await settle()
    expect(hub.state()).toBe('polling')
    await vi.advanceTimersByTimeAsync(1000)
    connections[0]?.open()
    expect(hub.state()).toBe('live')
    expect(hub.since()).toBe(Date.now())
    connections[0]?.lose()
    expect(hub.state()).toBe('polling')
    connections[0]?.open()
    connections[0]?.lose()
    expect(states).toEqual(['live', 'polling', 'live', 'polling'])
  })

  test('changes the connection with the topics and ends it with the last listener', async () => {
    const hub = createHub(openChannel)
    const stopTrades = hub.listen(['trades'], () => {})
    await settle()
    await connections[0]?.send('3')
    const stopAgent = hub.listen(['agent:lark'], () => {})
    stopTrades()
    await settle()
    expect(connections[0]?.signal.aborted).toBe(true)
    expect(connections[1]).toMatchObject({ topics: ['agent:lark'], resume: '3' })
    stopAgent()
    await settle()
    expect(connections[1]?.signal.aborted).toBe(true)
    expect(hub.state()).toBe('polling')
  })

  test('reconnects on request', async () => {
    const hub = createHub(openChannel)
    hub.listen(['trades'], () => {})
    await settle()
    hub.restart()
    await settle()
    expect(connections.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })
})
