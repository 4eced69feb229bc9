import { encodeFunctionData } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { encodeBuy, encodeLaunch, encodeSell, quoteBuy, subjectAddress } from '../ts/index.js'
import { at } from './chain.js'
import { smartWallet } from './generated/fixtures.js'
import { type Market, openMarket } from './market.js'
import { openSmartWallet, type TestSmartWallet } from './smart-wallet.js'

const message = 'Register my agent on Rookery: rook'

let market: Market
let wallet: TestSmartWallet
beforeEach(async () => {
  market = await openMarket()
  wallet = await openSmartWallet(market.client, at(market.chain.accounts, 6))
})

describe('before it is deployed', () => {
  test('its ERC-6492 signature is valid', async () => {
    const { address } = wallet
    const signature = await wallet.signMessageUndeployed(message)
    expect(await market.client.getCode({ address })).toBeUndefined()
    expect(await market.client.verifyMessage({ address, message, signature })).toBe(true)
    expect(await market.client.verifyMessage({ address, message: 'another', signature })).toBe(false)
    expect(await market.client.verifyMessage({ address: market.alice, message, signature })).toBe(false)
  })

  test('its plain signature is not', async () => {
    const { address } = wallet
    const signature = await wallet.signMessage(message)
    expect(await market.client.verifyMessage({ address, message, signature })).toBe(false)
  })
})

describe('after it is deployed', () => {
  beforeEach(async () => {
    await wallet.deploy()
  })

  test('both of its signatures are valid', async () => {
    const { address } = wallet
    expect(await market.client.getCode({ address })).toBeDefined()
    for (const signature of [await wallet.signMessage(message), await wallet.signMessageUndeployed(message)]) {
      expect(await market.client.verifyMessage({ address, message, signature })).toBe(true)
      expect(await market.client.verifyMessage({ address, message: 'another', signature })).toBe(false)
    }
  })

  test('it launches, buys with a refund, and sells', async () => {
    const { chain, shares, permit, send } = market
    const owner = wallet.address
    const subject = subjectAddress(owner, 'rook')
    const launch = encodeLaunch({ subject, name: 'rook', permit: await permit(owner, 'rook') })
    const value = quoteBuy(1n, 2n).priceAfterFeeWei + 100n
    for (const [sent, data] of [
      [0n, launch],
      [value, encodeBuy({ subject, amount: 2n })],
      [0n, encodeSell({ subject, amount: 1n })],
    ] as const) {
      const args = [shares.address, sent, data] as const
      const execute = encodeFunctionData({ abi: smartWallet.abi, functionName: 'execute', args })
      await send(at(chain.accounts, 6).address, execute, { to: owner, value: sent })
    }
    expect(await shares.read.sharesBalance([subject, owner])).toBe(2n)
    expect(await shares.read.sharesOwner([subject])).toBe(owner)
  })
})
