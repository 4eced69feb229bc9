import { priceFeedAbi } from '@rookery/contracts'
import { decodeFunctionData, encodeFunctionResult, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createChainlinkPrice } from './chainlink.js'

const abi = priceFeedAbi
const feed = '0x00000000000000000000000000000000000feed0'

/** Creates a feed with this price. */
function createFeed(answer: bigint, updatedAt = 1_800_000_000n) {
  const calls: string[] = []
  const call = async (_: Hex, data: Hex): Promise<Hex> => {
    const { functionName } = decodeFunctionData({ abi, data })
    calls.push(functionName)
    if (functionName === 'decimals') return encodeFunctionResult({ abi, functionName: 'decimals', result: 8 })
    const result = [7n, answer, updatedAt, updatedAt, 7n] as const
    return encodeFunctionResult({ abi, functionName: 'latestRoundData', result })
  }
  return { calls, source: createChainlinkPrice({ chain: { call }, feed }) }
}

describe('a Chainlink feed', () => {
  test('reports dollars and the time of its last update', async () => {
    const { source, calls } = createFeed(612_34567890n)
    expect(await source.read()).toEqual({ priceUsd: 612.3456789, updatedAt: new Date(1_800_000_000_000) })
    await source.read()
    expect(calls).toEqual(['decimals', 'latestRoundData', 'latestRoundData'])
    expect([source.name, source.updatesWithinMs]).toEqual(['chainlink', 3_600_000])
  })

  test('is rejected when it reports no price', async () => {
    await expect(createFeed(0n).source.read()).rejects.toThrow('answered 0')
  })
})
