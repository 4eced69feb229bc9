import { isBuilt } from '@rookery/tooling/start-program'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackResult, attack } from './run.js'
import { startTarget, type Target } from './target.js'

describe('1,500 valid, mistaken and hostile requests', () => {
  let target: Target
  let result: AttackResult
  beforeAll(async () => {
    expect(isBuilt()).toBe(true)
    target = await startTarget('')
    // One at a time, so that the same seed meets the same state.
    result = await attack({ url: target.url, seed: 16, requests: 1_500, lanes: 1, withinMs: 60_000 })
  }, 180_000)
  afterAll(() => target.stop())

  test('find no failure, hang, internal detail or answer that is not as documented', () => {
    expect(result.findings).toEqual([])
  })

  test('reach every endpoint, and most of them with success', () => {
    expect(result.sent).toBeGreaterThanOrEqual(1_500)
    const succeeded = [...result.statuses].filter(([, statuses]) =>
      ['200', '201', '202'].some((it) => statuses.has(it)),
    )
    expect(result.statuses.size).toBeGreaterThan(130)
    expect(succeeded.length).toBeGreaterThan(80)
  })

  test('leave no failure in the log, and health in order', async () => {
    expect(await target.inspect()).toEqual([])
  })
})
