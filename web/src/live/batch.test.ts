import type { LiveEvent } from '@rookery/sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBatches } from './batch.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const event = (id: number) => ({ id: String(id) }) as LiveEvent

function watch() {
  let changes = 0
  const received: string[][] = []
  const batches = createBatches({
    gapMs: 200,
    together: (deliver) => {
      changes++
      deliver()
    },
  })
  const listener = (events: readonly LiveEvent[]) => void received.push(events.map(({ id }) => id))
  return { batches, listener, received, changes: () => changes }
}

describe('live events', () => {
  test('arrive at once while few come', async () => {
    const { batches, listener, received } = watch()
    batches.add(listener, event(1))
    await vi.advanceTimersByTimeAsync(0)
    expect(received).toEqual([['1']])
  })

  test('arrive together, complete and in order, while many come', async () => {
    const { batches, listener, received, changes } = watch()
    const other: string[] = []
    const another = (events: readonly LiveEvent[]) => void other.push(...events.map(({ id }) => id))
    for (let id = 0; id < 50; id++) {
      batches.add(listener, event(id))
      batches.add(another, event(id))
      await vi.advanceTimersByTimeAsync(20)
    }
    await vi.advanceTimersByTimeAsync(200)
    const all = Array.from({ length: 50 }, (_, id) => String(id))
    expect(received.flat()).toEqual(all)
    expect(other).toEqual(all)
    expect(changes()).toBeLessThanOrEqual(7)
  })

  test('do not reach a listener that has gone', async () => {
    const { batches, listener, received } = watch()
    batches.add(listener, event(1))
    batches.drop(listener)
    await vi.advanceTimersByTimeAsync(200)
    expect(received).toEqual([])
  })
})
