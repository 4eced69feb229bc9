import { EventEmitter, once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { createLateClock } from '../base/late-clock.js'
import { type Channel, followToldTime, requireTeller } from './told-time.js'

function open() {
  const real = { now: () => new Date('2026-06-01T12:00:00.000Z') }
  const lateClock = createLateClock(new Date('2026-05-01T08:00:00.000Z'), real)
  const channel = Object.assign(new EventEmitter(), {
    connected: true,
    send(message: object, sent: () => void) {
      channel.emit('answer', message)
      sent()
      return true
    },
    disconnect: vi.fn(),
  })
  const late: number[] = []
  const embeddedChain = { setLate: async (ms: number) => void late.push(ms) }
  const [onReal, onLost] = [vi.fn(async () => {}), vi.fn()]
  followToldTime({ lateClock, embeddedChain } as never, channel as unknown as Channel, { onReal, onLost })
  const tell = async (clock: string) => {
    const answer = once(channel, 'answer')
    channel.emit('message', { clock })
    return answer
  }
  return { real, lateClock, channel, late, onReal, onLost, tell }
}

describe('a service that is told the time', () => {
  test('moves its clock and that of its chain before it answers', async () => {
    const { real, lateClock, late, tell } = open()
    const time = '2026-05-03T10:00:00.000Z'
    expect(await tell(time)).toEqual([{ clock: time }])
    expect(lateClock.now().toISOString()).toBe(time)
    expect(late).toEqual([real.now().getTime() - Date.parse(time)])
  })

  test('has the real time for good once it is told so, and listens no more', async () => {
    const { real, lateClock, channel, late, onReal, onLost, tell } = open()
    await tell('real')
    await vi.waitFor(() => expect(channel.disconnect).toHaveBeenCalledOnce())
    channel.emit('disconnect')
    expect([lateClock.now(), late]).toEqual([real.now(), [0]])
    expect([onReal.mock.calls.length, onLost.mock.calls.length]).toEqual([1, 0])
    expect(channel.listenerCount('message')).toBe(0)
  })

  test('stops when nobody tells it the time any more', () => {
    const { channel, onLost } = open()
    channel.emit('disconnect')
    expect(onLost).toHaveBeenCalledOnce()
  })

  test('ignores what is not a time', async () => {
    const { lateClock, channel, tell } = open()
    for (const message of ['close', { clock: 'tomorrow' }, { clock: 5 }]) channel.emit('message', message)
    await tell('2026-05-02T00:00:00.000Z')
    expect(lateClock.now().toISOString()).toBe('2026-05-02T00:00:00.000Z')
  })

  test('does not start unless another process can tell it', () => {
    expect(() => requireTeller({})).toThrow('CLOCK must be system unless')
  })
})
