import { expect, test } from 'vitest'
import { roundTrip } from './round-trip.js'

test('a share bought and sold back at once returns the price less ten per cent, of the price plus ten per cent', () => {
  for (const supply of [1n, 7n, 40n, 100n]) {
    const { buy, sell, returnedPercent } = roundTrip(supply)
    expect(buy.priceWei).toBe(supply * supply * 62_500_000_000_000n)
    expect(buy.priceAfterFeeWei).toBe((buy.priceWei * 11n) / 10n)
    expect(sell.priceAfterFeeWei).toBe((buy.priceWei * 9n) / 10n)
    expect(returnedPercent).toBe(82n)
  }
})

test('the first share is free, and so is the way back', () => {
  expect(roundTrip(0n)).toMatchObject({ buy: { priceAfterFeeWei: 0n }, returnedPercent: 100n })
})
