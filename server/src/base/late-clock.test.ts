import { describe, expect, test } from 'vitest'
import { createLateClock } from './late-clock.js'

const START = new Date('2026-05-01T08:00:00.000Z')
const at = (time: string) => new Date(`2026-05-01T${time}.000Z`)

describe('a late clock', () => {
  const open = () => {
    let time = Date.parse('2026-06-01T12:00:00.000Z')
    const real = {
      now: () => new Date(time),
      advance(ms: number) {
        time += ms
      },
    }
    return { real, clock: createLateClock(START, real) }
  }

  test('begins when it is told and runs as fast as the real one', () => {
    const { real, clock } = open()
    expect(clock.now()).toEqual(START)
    real.advance(90_000)
    expect(clock.now()).toEqual(at('08:01:30'))
  })

  test('moves forward and never back', () => {
    const { clock } = open()
    clock.moveTo(at('12:00:00'))
    clock.moveTo(at('11:00:00'))
    expect(clock.now()).toEqual(at('12:00:00'))
  })

  test('is never ahead of the real one, and stays right once it is', () => {
    const { real, clock } = open()
    clock.moveTo(new Date(real.now().getTime() + 60_000))
    expect([clock.now(), clock.lateMs]).toEqual([real.now(), 0])
    clock.moveTo(START)
    real.advance(1_000)
    expect(clock.now()).toEqual(real.now())
    expect(createLateClock(new Date(real.now().getTime() + 1_000), real).lateMs).toBe(0)
  })

  test('catches up, and says since when it is right', () => {
    const { real, clock } = open()
    expect(clock.rightSince).toBeUndefined()
    clock.catchUp()
    expect([clock.now(), clock.lateMs]).toEqual([real.now(), 0])
    const since = real.now()
    real.advance(1_000)
    clock.catchUp()
    expect(clock.rightSince).toEqual(since)
  })
})
