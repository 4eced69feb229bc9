import { priceFeedAbi } from '@rookery/contracts'
import { type Address, decodeFunctionResult, encodeFunctionData, formatUnits, type Hex } from 'viem'
import type { PriceSource } from './price-source.js'

const HOUR_MS = 60 * 60_000

/** A chain whose contracts can be read. */
export interface ReadableChain {
  call(to: Address, data: Hex): Promise<Hex>
}

/** A Chainlink-style aggregator on the chain. */
export function createChainlinkPrice(options: {
  readonly chain: ReadableChain
  readonly feed: Address
  readonly name?: string
  readonly updatesWithinMs?: number
}): PriceSource {
  const { chain, feed, name = 'chainlink', updatesWithinMs = HOUR_MS } = options
  const abi = priceFeedAbi
  let decimals: number | undefined

  async function readDecimals(): Promise<number> {
    const data = await chain.call(feed, encodeFunctionData({ abi, functionName: 'decimals' }))
    return decodeFunctionResult({ abi, functionName: 'decimals', data })
  }

  return {
    name,
    updatesWithinMs,
    async read() {
      decimals ??= await readDecimals()
      const data = await chain.call(feed, encodeFunctionData({ abi, functionName: 'latestRoundData' }))
      const [, answer, , updatedAt] = decodeFunctionResult({ abi, functionName: 'latestRoundData', data })
      if (answer <= 0n) throw new Error(`the price feed ${feed} answered ${answer}`)
      return { priceUsd: Number(formatUnits(answer, decimals)), updatedAt: new Date(Number(updatedAt) * 1000) }
    },
  }
}
