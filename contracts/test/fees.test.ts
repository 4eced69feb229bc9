import { type Address, parseEventLogs } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agentSharesAbi,
  encodeBuy,
  encodeClaimFees,
  encodeClaimProtocolFees,
  encodeSell,
  priceOf,
  quoteBuy,
} from '../ts/index.js'
import { type Market, openMarket } from './market.js'

const ZERO = '0x0000000000000000000000000000000000000000'

let market: Market
let rook: Address
beforeEach(async () => {
  market = await openMarket()
  rook = await market.launch(market.alice, 'rook')
})

async function buy(subject: Address, amount: bigint) {
  const { shares, bob, send } = market
  const value = await shares.read.getBuyPriceAfterFee([subject, amount])
  await send(bob, encodeBuy({ subject, amount }), { value })
}

const claimProtocol = (...subjects: Address[]) => encodeClaimProtocolFees({ subjects })

describe('fees', () => {
  test('accrue to owner and protocol alike, from buys and from sales', async () => {
    const { shares, bob, send } = market
    await buy(rook, 4n)
    await send(bob, encodeSell({ subject: rook, amount: 3n }))
    const expected = priceOf(1n, 4n) / 20n + priceOf(2n, 3n) / 20n
    expect(await shares.read.claimableFees([rook])).toBe(expected)
    expect(await shares.read.claimableProtocolFees([rook])).toBe(expected)
  })

  test('are kept apart by agent', async () => {
    const { shares, alice, launch } = market
    const crow = await launch(alice, 'crow')
    await buy(rook, 4n)
    expect(await shares.read.claimableFees([crow])).toBe(0n)
    expect(await shares.read.claimableProtocolFees([crow])).toBe(0n)
  })
})

describe('claimFees', () => {
  test('pays the owner, whoever calls', async () => {
    const { shares, alice, carol, send, balanceOf } = market
    await buy(rook, 4n)
    const [before, fees] = [await balanceOf(alice), await shares.read.claimableFees([rook])]
    const { logs } = await send(carol, encodeClaimFees({ subject: rook }))
    expect(await balanceOf(alice)).toBe(before + fees)
    expect(await shares.read.claimableFees([rook])).toBe(0n)
    expect(await shares.read.claimableProtocolFees([rook])).toBe(fees)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      { eventName: 'FeesClaimed', args: { receiver: alice, amount: fees } },
    ])
  })

  test('pays once', async () => {
    const { alice, send } = market
    await buy(rook, 4n)
    await send(alice, encodeClaimFees({ subject: rook }))
    await expect(send(alice, encodeClaimFees({ subject: rook }))).rejects.toThrow(`NothingToClaim(${alice})`)
  })

  test('pays again what came in since', async () => {
    const { alice, send, balanceOf } = market
    await buy(rook, 4n)
    await send(alice, encodeClaimFees({ subject: rook }))
    await buy(rook, 2n)
    const before = await balanceOf(alice)
    await send(alice, encodeClaimFees({ subject: rook }))
    expect(await balanceOf(alice)).toBe(before + priceOf(5n, 2n) / 20n)
  })

  test('pays another receiver that the owner names', async () => {
    const { alice, carol, send, balanceOf } = market
    await buy(rook, 4n)
    const before = await balanceOf(carol)
    await send(alice, encodeClaimFees({ subject: rook, receiver: carol }))
    expect(await balanceOf(carol)).toBe(before + priceOf(1n, 4n) / 20n)
  })

  test('lets nobody but the owner name a receiver', async () => {
    const { carol, protocol, send } = market
    await buy(rook, 4n)
    for (const caller of [carol, protocol]) {
      const theft = send(caller, encodeClaimFees({ subject: rook, receiver: caller }))
      await expect(theft).rejects.toThrow(`NotAgentOwner(${caller})`)
    }
  })

  test('does not pay the zero address or itself', async () => {
    const { shares, alice, send } = market
    await buy(rook, 4n)
    const toZero = send(alice, encodeClaimFees({ subject: rook, receiver: ZERO }))
    await expect(toZero).rejects.toThrow(`InvalidReceiver(${ZERO})`)
    const toItself = send(alice, encodeClaimFees({ subject: rook, receiver: shares.address }))
    await expect(toItself).rejects.toThrow(/^PaymentFailed\(/)
  })

  test('knows no fees of an agent that is not launched', async () => {
    const { shares, alice, send } = market
    const crow = await shares.read.subjectOf([alice, 'crow'])
    await expect(send(alice, encodeClaimFees({ subject: crow }))).rejects.toThrow(`NotLaunched(${crow})`)
    const named = send(alice, encodeClaimFees({ subject: crow, receiver: alice }))
    await expect(named).rejects.toThrow(`NotAgentOwner(${alice})`)
  })
})

describe('claimProtocolFees', () => {
  test('pays the protocol from several agents at once, whoever calls', async () => {
    const { shares, alice, carol, protocol, launch, send, balanceOf } = market
    const crow = await launch(alice, 'crow')
    await buy(rook, 4n)
    await buy(crow, 2n)
    const before = await balanceOf(protocol)
    const { logs } = await send(carol, claimProtocol(rook, crow))
    expect(await balanceOf(protocol)).toBe(before + (priceOf(1n, 4n) + priceOf(1n, 2n)) / 20n)
    expect(await shares.read.claimableProtocolFees([rook])).toBe(0n)
    expect(await shares.read.claimableFees([rook])).toBe(priceOf(1n, 4n) / 20n)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      { eventName: 'ProtocolFeesClaimed', args: { receiver: protocol, amount: priceOf(1n, 4n) / 20n } },
      { eventName: 'ProtocolFeesClaimed', args: { receiver: protocol, amount: priceOf(1n, 2n) / 20n } },
    ])
  })

  test('pays an agent that is named twice once', async () => {
    const { alice, protocol, send, balanceOf } = market
    await buy(rook, 4n)
    const before = await balanceOf(protocol)
    await send(alice, claimProtocol(rook, rook))
    expect(await balanceOf(protocol)).toBe(before + priceOf(1n, 4n) / 20n)
  })

  test('refuses to pay nothing', async () => {
    const { shares, alice, protocol, send } = market
    const unborn = await shares.read.subjectOf([alice, 'crow'])
    for (const data of [claimProtocol(), claimProtocol(rook), claimProtocol(unborn)]) {
      await expect(send(alice, data)).rejects.toThrow(`NothingToClaim(${protocol})`)
    }
  })
})

test('when all is sold and claimed, nothing is left in the contract', async () => {
  const { shares, alice, bob, send, balanceOf } = market
  await buy(rook, 20n)
  await send(bob, encodeSell({ subject: rook, amount: 20n }))
  await send(alice, encodeClaimFees({ subject: rook }))
  await send(alice, claimProtocol(rook))
  expect(await balanceOf(shares.address)).toBe(0n)
  expect(quoteBuy(0n, 1n).priceAfterFeeWei).toBe(0n)
})
