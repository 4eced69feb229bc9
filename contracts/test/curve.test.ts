import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FEE_PERCENT, feeOf, MAX_SUPPLY, priceOf, quoteBuy, quoteSell, UNIT_WEI } from '../ts/index.js'
import { deploy } from './chain.js'
import { curveProbe } from './generated/fixtures.js'
import { openMarket } from './market.js'

const supplies = fc.bigInt(0n, 1_000_000n)
const amounts = fc.bigInt(1n, 100n)

describe('priceOf', () => {
  test('a unit is exactly one ether by 16000', () => {
    expect(UNIT_WEI * 16_000n).toBe(10n ** 18n)
  })

  test('shares 3 and 4 cost 25 units', () => {
    expect(priceOf(3n, 2n)).toBe(1_562_500_000_000_000n)
  })

  test('the first share is free', () => {
    expect(priceOf(0n, 1n)).toBe(0n)
    expect(quoteBuy(0n, 1n).priceAfterFeeWei).toBe(0n)
  })

  test('no shares cost nothing', () => {
    expect(priceOf(12n, 0n)).toBe(0n)
  })

  test('a price is the sum of the squares', () => {
    fc.assert(
      fc.property(supplies, amounts, (supply, amount) => {
        let squares = 0n
        for (let i = supply; i < supply + amount; i++) squares += i * i
        expect(priceOf(supply, amount)).toBe(squares * UNIT_WEI)
      }),
    )
  })

  test('numbers outside the curve are refused', () => {
    expect(priceOf(0n, MAX_SUPPLY)).toBeGreaterThan(0n)
    expect(() => priceOf(0n, MAX_SUPPLY + 1n)).toThrow(RangeError)
    expect(() => priceOf(MAX_SUPPLY, 1n)).toThrow(RangeError)
    expect(() => priceOf(-1n, 1n)).toThrow(RangeError)
    expect(() => priceOf(1n, -1n)).toThrow(RangeError)
    expect(() => quoteSell(3n, 4n)).toThrow(RangeError)
  })
})

describe('fees', () => {
  test('each is exactly 5 % of any price', () => {
    fc.assert(
      fc.property(supplies, amounts, (supply, amount) => {
        const price = priceOf(supply, amount)
        expect(feeOf(price) * 10n ** 18n).toBe(price * FEE_PERCENT)
      }),
    )
  })

  test('a buyer pays 110 % and a seller receives 90 %', () => {
    expect(quoteBuy(10n, 1n)).toEqual({
      priceWei: 100n * UNIT_WEI,
      protocolFeeWei: 5n * UNIT_WEI,
      subjectFeeWei: 5n * UNIT_WEI,
      priceAfterFeeWei: 110n * UNIT_WEI,
    })
    expect(quoteSell(11n, 1n)).toEqual({ ...quoteBuy(10n, 1n), priceAfterFeeWei: 90n * UNIT_WEI })
  })

  test('a round trip costs a fifth of the price and never gains', () => {
    fc.assert(
      fc.property(supplies, amounts, (supply, amount) => {
        const { priceWei, priceAfterFeeWei } = quoteBuy(supply, amount)
        expect(priceAfterFeeWei - quoteSell(supply + amount, amount).priceAfterFeeWei).toBe(priceWei / 5n)
      }),
    )
  })
})

test('TypeScript and the contract agree on prices to the wei', async () => {
  const { client, shares } = await openMarket()
  const probe = await deploy(client, curveProbe.bytecode)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(supplies, amounts), { minLength: 250, maxLength: 500 }), async (pairs) => {
      const answers = await client.readContract({
        address: probe,
        abi: curveProbe.abi,
        functionName: 'prices',
        args: [shares.address, pairs.map(([supply]) => supply), pairs.map(([, amount]) => amount)],
      })
      expect(answers).toEqual(pairs.map(([supply, amount]) => priceOf(supply, amount)))
    }),
    { numRuns: 40 },
  )
})
