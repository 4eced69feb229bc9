import { type Address, getContract } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { encodeDeployPriceFeed, priceFeedAbi } from '../ts/index.js'
import { deploy, openTestChain, type TestChain } from './chain.js'

let chain: TestChain
let address: Address
beforeEach(async () => {
  chain = await openTestChain()
  address = await deploy(chain.client(), encodeDeployPriceFeed({ answer: 600_00000000n }))
})

const feed = (account = 0) => getContract({ address, abi: priceFeedAbi, client: chain.client(account) })

test('it answers like a Chainlink aggregator', async () => {
  const { timestamp } = await chain.client().getBlock()
  expect(await feed().read.latestRoundData()).toEqual([1n, 600_00000000n, timestamp, timestamp, 1n])
  expect(await feed().read.decimals()).toBe(8)
  expect(await feed().read.description()).toBe('BNB / USD')
  expect(await feed().read.version()).toBe(1n)
  expect(await feed().read.owner()).toBe(chain.accounts[0]?.address)
})

test('its owner tells a new price', async () => {
  await feed().write.setAnswer([612_50000000n])
  const { timestamp } = await chain.client().getBlock()
  expect(await feed().read.latestRoundData()).toEqual([2n, 612_50000000n, timestamp, timestamp, 2n])
  expect(await feed().getEvents.AnswerUpdated()).toMatchObject([
    { args: { current: 612_50000000n, roundId: 2n, updatedAt: timestamp } },
  ])
})

test('nobody else does', async () => {
  await expect(feed(1).simulate.setAnswer([1n])).rejects.toThrow('NotOwner')
})

test('a price is above zero', async () => {
  await expect(feed().simulate.setAnswer([0n])).rejects.toThrow('AnswerNotPositive')
  await expect(feed().simulate.setAnswer([-1n])).rejects.toThrow('AnswerNotPositive')
  await expect(deploy(chain.client(), encodeDeployPriceFeed({ answer: 0n }))).rejects.toThrow('reverted')
})
