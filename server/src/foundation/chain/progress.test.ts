import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { createProgressBar } from './progress.js'

function startBar(isTTY: boolean) {
  const clock = createTestClock()
  const written: string[] = []
  const logged: object[] = []
  const terminal = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as typeof process.stderr
  const log = { info: (fields: object) => void logged.push(fields) } as Parameters<typeof createProgressBar>[0]
  return { bar: createProgressBar(log, clock, terminal), clock, written, logged }
}

describe('the progress of reading old blocks', () => {
  test('is a bar that redraws itself in a terminal, with speed and time left', () => {
    const { bar, clock, written, logged } = startBar(true)
    bar.show({ from: 0, at: 24, to: 99, events: 0 })
    clock.advance(10_000)
    bar.show({ from: 0, at: 49, to: 99, events: 50_000 })
    expect(written[1]?.startsWith('\r\x1b[2KReading the chain ')).toBe(true)
    expect(written[1]).toMatch(/ █{15}░{15} 50 % {2}block 49 {2}\d{4} events\/s {2}1[01] s left$/)
    bar.show({ from: 0, at: 99, to: 99, events: 90_000 })
    expect(written[2]).toMatch(/100 %.*\n$/)
    expect(logged).toEqual([])
  })

  test('is an occasional log line elsewhere', () => {
    const { bar, clock, written, logged } = startBar(false)
    for (let at = 0; at < 30; at++) {
      bar.show({ from: 0, at, to: 29, events: at })
      clock.advance(1_000)
    }
    expect(logged.map((line) => (line as { block: number }).block)).toEqual([0, 10, 20, 29])
    expect(written).toEqual([])
  })
})
