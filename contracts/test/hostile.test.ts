import { type Address, encodeFunctionData, type Hex, parseEther, toFunctionSelector } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agentSharesAbi,
  encodeBuy,
  encodeClaimFees,
  encodeClaimProtocolFees,
  encodeLaunch,
  encodeSell,
  encodeTransfer,
  quoteBuy,
  quoteSell,
  subjectAddress,
} from '../ts/index.js'
import { deploy } from './chain.js'
import { hostileWallet } from './generated/fixtures.js'
import { type Market, openMarket } from './market.js'

const { abi } = hostileWallet
const moods = ['Accepts', 'Refuses', 'EatsGas', 'FloodsReturnData', 'Reenters', 'ReentersAndReverts'] as const
const REENTERED = toFunctionSelector('Reentered()')

let market: Market
let villain: Address
beforeEach(async () => {
  market = await openMarket()
  villain = await deploy(market.client, hostileWallet.bytecode)
})

/** Sets what the villain does when it is paid. */
async function behave(mood: (typeof moods)[number], reentry: Hex = '0x') {
  const args = [moods.indexOf(mood), market.shares.address, reentry] as const
  await market.send(market.carol, encodeFunctionData({ abi, functionName: 'behave', args }), { to: villain })
}

/** Calls the market as the villain. */
async function asVillain(data: Hex, value = 0n) {
  const args = [market.shares.address, data] as const
  const input = encodeFunctionData({ abi, functionName: 'execute', args })
  return market.send(market.carol, input, { to: villain, value, gas: 10_000_000n })
}

async function launchAsVillain(): Promise<Address> {
  const subject = subjectAddress(villain, 'evil')
  const permit = await market.permit(villain, 'evil')
  await asVillain(encodeLaunch({ subject, name: 'evil', permit, amount: 4n }), quoteBuy(0n, 4n).priceAfterFeeWei)
  return subject
}

const claimProtocol = (subject: Address) => encodeClaimProtocolFees({ subjects: [subject] })

describe('an owner that misbehaves when paid', () => {
  test.each(moods)('cannot stop others from trading: %s', async (mood) => {
    const { bob, send, balanceOf } = market
    const subject = await launchAsVillain()
    await behave(mood, claimProtocol(subject))
    const before = await balanceOf(bob)
    await send(bob, encodeBuy({ subject, amount: 3n }), { value: quoteBuy(4n, 3n).priceAfterFeeWei, gas: 60_000n })
    await send(bob, encodeSell({ subject, amount: 3n }), { gas: 60_000n })
    expect(await balanceOf(bob)).toBe(before - quoteBuy(4n, 3n).priceAfterFeeWei + quoteSell(7n, 3n).priceAfterFeeWei)
  })

  test.each(['Refuses', 'EatsGas'] as const)('loses no fees, and can send them elsewhere: %s', async (mood) => {
    const { shares, bob, carol, send, balanceOf } = market
    const subject = await launchAsVillain()
    await behave(mood)
    await send(bob, encodeBuy({ subject, amount: 3n }), { value: quoteBuy(4n, 3n).priceAfterFeeWei })
    const fees = await shares.read.claimableFees([subject])
    await expect(send(bob, encodeClaimFees({ subject }))).rejects.toThrow(`PaymentFailed(${villain}, ${fees})`)
    expect(await shares.read.claimableFees([subject])).toBe(fees)
    const before = await balanceOf(carol)
    await asVillain(encodeClaimFees({ subject, receiver: carol }))
    expect(await balanceOf(carol)).toBe(before + fees)
  })
})

describe('a protocol account that misbehaves when paid', () => {
  test('stops nobody from trading, and its fees wait for a better one', async () => {
    const { shares, protocol, alice, bob, launch, send, balanceOf } = market
    const propose = (to: Address) =>
      encodeFunctionData({ abi: agentSharesAbi, functionName: 'proposeProtocolFeeDestination', args: [to] })
    const accept = encodeFunctionData({ abi: agentSharesAbi, functionName: 'acceptProtocolFeeDestination' })
    const subject = await launch(alice, 'rook')
    await send(protocol, propose(villain))
    await asVillain(accept)
    await behave('Refuses')

    await send(bob, encodeBuy({ subject, amount: 3n }), { value: quoteBuy(1n, 3n).priceAfterFeeWei })
    await send(bob, encodeSell({ subject, amount: 3n }))
    const fees = await shares.read.claimableProtocolFees([subject])
    await expect(send(bob, claimProtocol(subject))).rejects.toThrow(`PaymentFailed(${villain}, ${fees})`)

    await asVillain(propose(protocol))
    await send(protocol, accept)
    const before = await balanceOf(protocol)
    await send(bob, claimProtocol(subject))
    expect(await balanceOf(protocol)).toBe(before + fees)
  })
})

describe('a trader that misbehaves when paid', () => {
  test('fails alone and keeps its shares', async () => {
    const { shares, alice, launch } = market
    const subject = await launch(alice, 'rook')
    await asVillain(encodeBuy({ subject, amount: 2n }), quoteBuy(1n, 2n).priceAfterFeeWei)
    for (const mood of ['Refuses', 'EatsGas'] as const) {
      await behave(mood)
      await expect(asVillain(encodeSell({ subject, amount: 1n }))).rejects.toThrow(/^PaymentFailed\(/)
    }
    expect(await shares.read.sharesBalance([subject, villain])).toBe(2n)
    expect(await shares.read.sharesSupply([subject])).toBe(3n)
  })

  test('buys by paying exactly, if it cannot take a refund', async () => {
    const { alice, launch } = market
    const subject = await launch(alice, 'rook')
    const { priceAfterFeeWei } = quoteBuy(1n, 2n)
    await behave('Refuses')
    const excess = asVillain(encodeBuy({ subject, amount: 2n }), priceAfterFeeWei + 1n)
    await expect(excess).rejects.toThrow(`PaymentFailed(${villain}, 1)`)
    await asVillain(encodeBuy({ subject, amount: 2n }), priceAfterFeeWei)
  })
})

describe('re-entrancy', () => {
  let subject: Address
  beforeEach(async () => {
    subject = await launchAsVillain()
    await market.send(market.bob, encodeBuy({ subject, amount: 6n }), { value: quoteBuy(4n, 6n).priceAfterFeeWei })
  })

  /** Everything that moves shares or money. */
  const entries: [string, () => Promise<Hex>][] = [
    ['buyShares', async () => encodeBuy({ subject, amount: 1n })],
    ['bounded buyShares', async () => encodeBuy({ subject, amount: 1n, bounds: { maxCostWei: 1n, deadline: 1n } })],
    ['sellShares', async () => encodeSell({ subject, amount: 1n })],
    [
      'bounded sellShares',
      async () => encodeSell({ subject, amount: 1n, bounds: { minProceedsWei: 0n, deadline: 1n } }),
    ],
    ['transferShares', async () => encodeTransfer({ subject, to: market.carol, amount: 1n })],
    ['claimFees', async () => encodeClaimFees({ subject })],
    ['claimFees to a receiver', async () => encodeClaimFees({ subject, receiver: market.carol })],
    ['claimProtocolFees', async () => claimProtocol(subject)],
    ['launch', async () => launchOther(1n)],
    ['launch with shares', async () => launchOther(2n)],
  ]

  async function launchOther(amount: bigint) {
    const permit = await market.permit(villain, 'twin')
    return encodeLaunch({ subject: subjectAddress(villain, 'twin'), name: 'twin', permit, amount })
  }

  /** Everything that pays the villain. */
  const payments: [string, () => Promise<unknown>][] = [
    ['a sale', () => asVillain(encodeSell({ subject, amount: 1n }))],
    ['a refund', () => asVillain(encodeBuy({ subject, amount: 1n }), parseEther('1'))],
    ['a claim', () => asVillain(encodeClaimFees({ subject }))],
  ]

  const cases = payments.flatMap(([payment, pay]) =>
    entries.map(([entry, data]) => [payment, entry, pay, data] as const),
  )

  test.each(cases)('from %s into %s is refused, and a payment lost by it is undone', async (_, __, pay, data) => {
    const { client, shares, balanceOf } = market
    await behave('ReentersAndReverts', await data())
    const [held, supply] = [await balanceOf(shares.address), await shares.read.sharesSupply([subject])]
    await expect(pay()).rejects.toThrow(`PaymentFailed(${villain}`)
    expect(await balanceOf(shares.address)).toBe(held)
    expect(await shares.read.sharesSupply([subject])).toBe(supply)

    await behave('Reenters', await data())
    await pay()
    expect(await client.readContract({ address: villain, abi, functionName: 'reentered' })).toBe(false)
    expect(await client.readContract({ address: villain, abi, functionName: 'reentryAnswer' })).toBe(REENTERED)
  })

  test('a receiver sees the new supply and balance while it is paid', async () => {
    const { client, shares } = market
    const args = [subject, villain] as const
    const look = encodeFunctionData({ abi: agentSharesAbi, functionName: 'sharesBalance', args })
    await behave('Reenters', look)
    await asVillain(encodeSell({ subject, amount: 2n }))
    const seen = await client.readContract({ address: villain, abi, functionName: 'reentryAnswer' })
    expect(BigInt(seen)).toBe(2n)
    expect(await shares.read.sharesBalance(args)).toBe(2n)
  })
})
