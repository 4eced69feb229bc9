import { readdirSync, readFileSync } from 'node:fs'
import { toEventSelector, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { agentSharesAbi, eventTopics } from '../ts/index.js'

const functions = agentSharesAbi.filter((item) => item.type === 'function')
const events = agentSharesAbi.filter((item) => item.type === 'event')

test('deployed clients find every function that they call', () => {
  const selectors = functions.map((item) => toFunctionSelector(item))
  const deployed = {
    'buyShares(address,uint256)': '0x6945b123',
    'sellShares(address,uint256)': '0xb51d0534',
    'launch(address,string,bytes)': '0x454f8051',
    'transferShares(address,address,uint256)': '0xbfc77beb',
    'getPrice(uint256,uint256)': '0x5cf4ee91',
    'getBuyPrice(address,uint256)': '0x4635256e',
    'getBuyPriceAfterFee(address,uint256)': '0x0f026f6d',
    'getSellPrice(address,uint256)': '0x9ae71781',
    'getSellPriceAfterFee(address,uint256)': '0x2267a89c',
    'sharesSupply(address)': '0xf9931be0',
    'sharesBalance(address,address)': '0x020235ff',
    'protocolFeePercent()': '0xd6e6eb9f',
    'subjectFeePercent()': '0x24dc441d',
    'protocolFeeDestination()': '0x4ce7957c',
    'enableTrading()': '0x8a8c523c',
  }
  expect(selectors).toEqual(expect.arrayContaining(Object.values(deployed)))
})

test('deployed clients can decode trades and transfers', () => {
  const find = (name: string) => events.find((event) => event.name === name)?.inputs
  expect(eventTopics.Trade).toBe('0x952ff8d90add9fdeaeb478102d54441cf0cc0cbe53b1d99e51f747cdc8379e54')
  expect(find('Trade')?.map(({ indexed }) => indexed)).toEqual(Array(9).fill(false))
  expect(eventTopics.Transfer).toBe('0x737ab30b9cd3ddae02069f3057591007faf2305652d04c2582f7f1f6185d9711')
  expect(find('Transfer')?.map(({ indexed }) => indexed)).toEqual([true, true, true, false, false, false])
})

test('the topics listed are those of the ABI', () => {
  expect(eventTopics).toEqual(Object.fromEntries(events.map((event) => [event.name, toEventSelector(event)])))
})

test('no function can pause, upgrade, set a fee, mint or withdraw', () => {
  const names = functions.filter(({ stateMutability }) => !['view', 'pure'].includes(stateMutability))
  expect(new Set(names.map(({ name }) => name))).toEqual(
    new Set([
      'launch',
      'buyShares',
      'sellShares',
      'transferShares',
      'claimFees',
      'claimProtocolFees',
      'proposeOperator',
      'acceptOperator',
      'revokeOperator',
      'proposeProtocolFeeDestination',
      'acceptProtocolFeeDestination',
    ]),
  )
  expect(agentSharesAbi.some(({ type }) => (type as string) === 'receive' || (type as string) === 'fallback')).toBe(
    false,
  )
})

test('every error of the contract is produced by a test', () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts') && name !== 'abi.test.ts')
  const text = tests.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('')
  const errors = agentSharesAbi.filter((item) => item.type === 'error').map(({ name }) => name)
  expect(errors.filter((name) => !new RegExp(`${name}\\\\?\\(`).test(text))).toEqual([])
  expect(errors.length).toBeGreaterThan(20)
})
