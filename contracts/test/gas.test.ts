import { expect, test } from 'vitest'
import { GAS_LIMITS } from '../ts/index.js'
import { measureGas } from './gas.js'

test('trades stay within their gas targets and below friend.tech', async () => {
  const rows = await measureGas()
  const gasOf = (action: string) => rows.find((row) => row.action === action)?.gas
  expect(gasOf('buy 1, warm')).toBeLessThanOrEqual(40_000)
  expect(gasOf('buy 10, warm')).toBeLessThanOrEqual(40_000)
  expect(gasOf('sell 1')).toBeLessThanOrEqual(46_000)
  for (const { action, gas, friendTechOptimised = 0 } of rows) {
    if (/^(buy|sell)/.test(action) && friendTechOptimised > 0) expect(gas, action).toBeLessThan(friendTechOptimised)
    if (/^(buy|sell|transfer|claim)/.test(action)) expect(gas * 2, action).toBeLessThanOrEqual(Number(GAS_LIMITS.buy))
    if (/^launch/.test(action)) expect(gas * 2, action).toBeLessThanOrEqual(Number(GAS_LIMITS.launch))
  }
})
