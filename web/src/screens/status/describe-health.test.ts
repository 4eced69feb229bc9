import type { Health } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import { describeHealth } from './describe-health.js'

const well: Health['checks'] = {
  database: 'ok',
  chain: { block: 1234, lagBlocks: 0, lagSeconds: 0 },
  jobs: { waiting: 0, failed: 0, oldestDueSeconds: 0 },
  redis: null,
  search: 'ok',
}
const states = (checks: Partial<Health['checks']>, hasChain = true, status: Health['status'] = 'ok') => {
  const health = { status, reasons: [], version: '1', uptimeSeconds: 1, checks: { ...well, ...checks } }
  return describeHealth(health, { hasChain }).map(
    ({ name, state, word, details }) => `${name} ${state} ${word}: ${details}`,
  )
}

describe('the parts of the service', () => {
  test('say that they work', () => {
    expect(states({})).toEqual([
      'Database ok Works: Answers questions',
      'Chain ok Followed: Block 1,234, no delay',
      'Background work ok On time: Nothing waits',
      'Search by meaning ok Ready: Its model is loaded',
    ])
  })

  test('say that they catch up after a start', () => {
    const chain = { block: 1234, lagBlocks: 40, lagSeconds: 120 }
    const jobs = { waiting: 2, failed: 0, oldestDueSeconds: 90 }
    expect(states({ chain, jobs }, true, 'starting').slice(1, 3)).toEqual([
      'Chain starting Catching up: Block 1,234, 40 blocks and 2 min behind',
      'Background work starting Catching up: 2 jobs wait, 1 min 30 s at most',
    ])
    expect(states({ chain: null }, true, 'starting')[1]).toBe('Chain starting Starting: Reads its blocks')
  })

  test('say what is wrong', () => {
    const troubled = states({
      chain: { block: 1234, lagBlocks: 40, lagSeconds: 120 },
      jobs: { waiting: 3, failed: 1, oldestDueSeconds: 0 },
      redis: 'failed',
      search: 'loading',
    })
    expect(troubled.slice(1)).toEqual([
      'Chain degraded Late: Block 1,234, 40 blocks and 2 min behind',
      'Background work degraded Failing: 3 jobs wait, 1 gave up',
      'Search by meaning starting Loading: Its model is being loaded',
      'Shared limits degraded Away: Redis does not answer; each instance counts for itself',
    ])
    expect(states({ chain: null })[1]).toBe('Chain unreachable Away: Does not answer')
    expect(states({ chain: null }, false)[1]).toBe('Chain ok None: This service has no market')
    expect(states({ jobs: { waiting: 2, failed: 0, oldestDueSeconds: 90 } })[2]).toBe(
      'Background work degraded Late: 2 jobs wait, 1 min 30 s at most',
    )
  })
})
