import { expect, test } from 'vitest'
import { openTestChain, TEST_BALANCE_WEI } from './chain.js'

test('several chains live beside each other', async () => {
  const [one, other] = await Promise.all([openTestChain(), openTestChain({ chainId: 97, accounts: 2 })])
  await one.client().mine({ blocks: 3 })
  expect(await one.client().getBlockNumber()).toBe(3n)
  expect(await other.client().getBlockNumber()).toBe(0n)
  expect(await other.client().getChainId()).toBe(97)
  expect(other.accounts).toHaveLength(2)
})

test('its accounts are funded and mine a block with each transaction', async () => {
  const { client, accounts } = await openTestChain()
  const to = '0x00000000000000000000000000000000000000aa'
  for (const { address } of accounts) expect(await client().getBalance({ address })).toBe(TEST_BALANCE_WEI)
  for (const account of accounts) await client(account).sendTransaction({ to, value: 5n })
  expect(await client().getBalance({ address: to })).toBe(5n * BigInt(accounts.length))
  expect(await client().getBlockNumber()).toBe(BigInt(accounts.length))
})

test('a closed chain answers no more', async () => {
  const chain = await openTestChain()
  chain.close()
  await expect(chain.provider.request({ method: 'eth_chainId' })).rejects.toThrow('closed')
})
