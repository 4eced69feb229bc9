import { type Address, parseEventLogs } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agentSharesAbi,
  encodeBuy,
  encodeSell,
  encodeTransfer,
  MAX_SUPPLY,
  priceOf,
  quoteBuy,
  quoteSell,
} from '../ts/index.js'
import { setSupply } from './agent-slot.js'
import { FAR_FUTURE, type Market, openMarket } from './market.js'

let market: Market
let subject: Address
beforeEach(async () => {
  market = await openMarket()
  subject = await market.launch(market.alice, 'rook', 3n)
})

const cost = (amount: bigint, supply = 3n) => quoteBuy(supply, amount).priceAfterFeeWei

async function buy(trader: Address, amount: bigint, value = cost(amount)) {
  return market.send(trader, encodeBuy({ subject, amount }), { value })
}

describe('buyShares', () => {
  test('takes price and fees, gives shares, and tells of it', async () => {
    const { shares, bob, balanceOf } = market
    const before = await balanceOf(bob)
    const { logs } = await buy(bob, 2n)
    const { priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei } = quoteBuy(3n, 2n)
    expect(priceWei).toBe(1_562_500_000_000_000n)
    expect(await balanceOf(bob)).toBe(before - priceAfterFeeWei)
    expect(await shares.read.sharesBalance([subject, bob])).toBe(2n)
    expect(await shares.read.sharesSupply([subject])).toBe(5n)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      {
        eventName: 'Trade',
        args: {
          trader: bob,
          isBuy: true,
          shareAmount: 2n,
          ethAmount: priceWei,
          protocolEthAmount: protocolFeeWei,
          subjectEthAmount: subjectFeeWei,
          supply: 5n,
          traderShareBalance: 2n,
        },
      },
    ])
  })

  test('returns what was paid too much', async () => {
    const { shares, bob, balanceOf } = market
    const [before, held] = [await balanceOf(bob), await balanceOf(shares.address)]
    await buy(bob, 2n, cost(2n) * 3n)
    expect(await balanceOf(bob)).toBe(before - cost(2n))
    expect(await balanceOf(shares.address)).toBe(held + cost(2n))
  })

  test('refuses a payment that is one wei short', async () => {
    await expect(buy(market.bob, 2n, cost(2n) - 1n)).rejects.toThrow(`PaymentTooSmall(${cost(2n)}, ${cost(2n) - 1n})`)
  })

  test('refuses an agent that is not launched, even to its owner', async () => {
    const { shares, alice, bob, send } = market
    const unborn = await shares.read.subjectOf([alice, 'crow'])
    for (const trader of [alice, bob]) {
      await expect(send(trader, encodeBuy({ subject: unborn, amount: 1n }))).rejects.toThrow(`NotLaunched(${unborn})`)
    }
  })

  test('refuses zero shares', async () => {
    await expect(buy(market.bob, 0n)).rejects.toThrow('ZeroAmount()')
  })

  test('refuses amounts that would pass the largest supply or overflow', async () => {
    const { bob } = market
    for (const amount of [MAX_SUPPLY - 2n, 2n ** 64n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 3n, 2n ** 256n - 1n]) {
      await expect(buy(bob, amount, 10n ** 18n)).rejects.toThrow(`SupplyTooLarge(3, ${amount})`)
    }
  })

  test('works up to the largest supply, and sells all of it again', async () => {
    const { client, shares, bob, send, balanceOf } = market
    const supply = MAX_SUPPLY - 1_000_000n
    await setSupply(market, subject, supply)
    const value = cost(1_000_000n, supply)
    await client.setBalance({ address: bob, value: value * 2n })
    await client.setBalance({ address: shares.address, value })
    await buy(bob, 1_000_000n, value)
    expect(await shares.read.sharesSupply([subject])).toBe(MAX_SUPPLY)
    expect(await shares.read.claimableFees([subject])).toBe(priceOf(0n, 3n) / 20n + priceOf(supply, 1_000_000n) / 20n)
    await expect(buy(bob, 1n, 0n)).rejects.toThrow(`SupplyTooLarge(${MAX_SUPPLY}, 1)`)
    await send(bob, encodeSell({ subject, amount: 1_000_000n }))
    expect(await balanceOf(bob)).toBe(value + quoteSell(MAX_SUPPLY, 1_000_000n).priceAfterFeeWei)
  })
})

describe('buyShares with bounds', () => {
  const bounded = (amount: bigint, maxCostWei: bigint, deadline = FAR_FUTURE) =>
    encodeBuy({ subject, amount, bounds: { maxCostWei, deadline } })

  test('buys at exactly the highest cost accepted and returns the rest', async () => {
    const { bob, send, balanceOf } = market
    const before = await balanceOf(bob)
    await send(bob, bounded(2n, cost(2n)), { value: cost(2n) + 5n })
    expect(await balanceOf(bob)).toBe(before - cost(2n))
  })

  test('refuses a cost above the bound, fees included, however much is paid', async () => {
    const { bob, carol, send } = market
    const order = bounded(2n, cost(2n))
    await buy(carol, 1n)
    const risen = cost(2n, 4n)
    await expect(send(bob, order, { value: risen })).rejects.toThrow(`CostAboveMaximum(${risen}, ${cost(2n)})`)
  })

  test('refuses a payment below the cost even if the bound allows it', async () => {
    const { bob, send } = market
    const order = bounded(2n, cost(2n) * 2n)
    await expect(send(bob, order, { value: 1n })).rejects.toThrow(`PaymentTooSmall(${cost(2n)}, 1)`)
  })

  test('happens in the second of its deadline and not after', async () => {
    const { client, bob, send, now } = market
    const deadline = (await now()) + 60n
    await client.setNextBlockTimestamp({ timestamp: deadline })
    await send(bob, bounded(1n, cost(1n), deadline), { value: cost(1n) })
    await client.setNextBlockTimestamp({ timestamp: deadline + 1n })
    const late = send(bob, bounded(1n, cost(9n), deadline), { value: cost(9n) })
    await expect(late).rejects.toThrow(`DeadlinePassed(${deadline})`)
  })
})

describe('sellShares', () => {
  beforeEach(async () => {
    await buy(market.bob, 4n)
  })

  test('pays the price less fees, takes shares, and tells of it', async () => {
    const { shares, bob, send, balanceOf } = market
    const before = await balanceOf(bob)
    const { logs } = await send(bob, encodeSell({ subject, amount: 3n }))
    const { priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei } = quoteSell(7n, 3n)
    expect(await balanceOf(bob)).toBe(before + priceAfterFeeWei)
    expect(await shares.read.sharesBalance([subject, bob])).toBe(1n)
    expect(await shares.read.sharesSupply([subject])).toBe(4n)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      {
        eventName: 'Trade',
        args: {
          trader: bob,
          isBuy: false,
          shareAmount: 3n,
          ethAmount: priceWei,
          protocolEthAmount: protocolFeeWei,
          subjectEthAmount: subjectFeeWei,
          supply: 4n,
          traderShareBalance: 1n,
        },
      },
    ])
  })

  test('lets a holder sell everything', async () => {
    const { shares, bob, send } = market
    await send(bob, encodeSell({ subject, amount: 4n }))
    expect(await shares.read.sharesBalance([subject, bob])).toBe(0n)
  })

  test('refuses more than the seller has', async () => {
    const { bob, carol, send } = market
    await expect(send(bob, encodeSell({ subject, amount: 5n }))).rejects.toThrow('BalanceTooSmall(4, 5)')
    await expect(send(carol, encodeSell({ subject, amount: 1n }))).rejects.toThrow('BalanceTooSmall(0, 1)')
    const all = 2n ** 256n - 1n
    await expect(send(bob, encodeSell({ subject, amount: all }))).rejects.toThrow(`BalanceTooSmall(4, ${all})`)
  })

  test('refuses zero shares', async () => {
    await expect(market.send(market.bob, encodeSell({ subject, amount: 0n }))).rejects.toThrow('ZeroAmount()')
  })

  test('takes no payment', async () => {
    const { bob, send } = market
    await expect(send(bob, encodeSell({ subject, amount: 1n }), { value: 1n })).rejects.toThrow(
      'reverted without a reason',
    )
  })

  test('leaves the owner its last share, however many others there are', async () => {
    const { alice, send } = market
    await send(alice, encodeSell({ subject, amount: 2n }))
    const last = send(alice, encodeSell({ subject, amount: 1n }))
    await expect(last).rejects.toThrow(new RegExp(`^OwnerKeepsLastShare\\(${subject}\\)`, 'i'))
  })

  test('leaves one share when everybody sold', async () => {
    const { shares, alice, bob, send } = market
    await send(bob, encodeSell({ subject, amount: 4n }))
    await send(alice, encodeSell({ subject, amount: 2n }))
    expect(await shares.read.sharesSupply([subject])).toBe(1n)
    expect(await shares.read.getSellPrice([subject, 1n])).toBe(0n)
  })
})

describe('sellShares with bounds', () => {
  const bounded = (amount: bigint, minProceedsWei: bigint, deadline = FAR_FUTURE) =>
    encodeSell({ subject, amount, bounds: { minProceedsWei, deadline } })

  beforeEach(async () => {
    await buy(market.bob, 4n)
  })

  test('sells at exactly the lowest proceeds accepted', async () => {
    const { bob, send, balanceOf } = market
    const before = await balanceOf(bob)
    const { priceAfterFeeWei } = quoteSell(7n, 2n)
    await send(bob, bounded(2n, priceAfterFeeWei))
    expect(await balanceOf(bob)).toBe(before + priceAfterFeeWei)
  })

  test('refuses proceeds below the bound, after fees', async () => {
    const { alice, bob, send } = market
    const order = bounded(2n, quoteSell(7n, 2n).priceAfterFeeWei)
    await send(alice, encodeSell({ subject, amount: 1n }))
    const fallen = quoteSell(6n, 2n).priceAfterFeeWei
    await expect(send(bob, order)).rejects.toThrow(
      `ProceedsBelowMinimum(${fallen}, ${quoteSell(7n, 2n).priceAfterFeeWei})`,
    )
    const { priceWei, priceAfterFeeWei } = quoteSell(6n, 2n)
    const greedy = send(bob, bounded(2n, priceWei))
    await expect(greedy).rejects.toThrow(`ProceedsBelowMinimum(${priceAfterFeeWei}, ${priceWei})`)
  })

  test('happens in the second of its deadline and not after', async () => {
    const { client, bob, send, now } = market
    const deadline = (await now()) + 60n
    await client.setNextBlockTimestamp({ timestamp: deadline })
    await send(bob, bounded(1n, 0n, deadline))
    await client.setNextBlockTimestamp({ timestamp: deadline + 1n })
    await expect(send(bob, bounded(1n, 0n, deadline))).rejects.toThrow(`DeadlinePassed(${deadline})`)
  })
})

describe('transferShares', () => {
  beforeEach(async () => {
    await buy(market.bob, 4n)
  })

  test('moves shares, leaves supply and money, and tells of it', async () => {
    const { shares, bob, carol, send, balanceOf } = market
    const held = await balanceOf(shares.address)
    const { logs } = await send(bob, encodeTransfer({ subject, to: carol, amount: 3n }))
    expect(await shares.read.sharesBalance([subject, bob])).toBe(1n)
    expect(await shares.read.sharesBalance([subject, carol])).toBe(3n)
    expect(await shares.read.sharesSupply([subject])).toBe(7n)
    expect(await balanceOf(shares.address)).toBe(held)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      { eventName: 'Transfer', args: { from: bob, to: carol, amount: 3n, fromBalance: 1n, toBalance: 3n } },
    ])
  })

  test('lets the receiver sell', async () => {
    const { shares, bob, carol, send } = market
    await send(bob, encodeTransfer({ subject, to: carol, amount: 4n }))
    await send(carol, encodeSell({ subject, amount: 4n }))
    expect(await shares.read.sharesSupply([subject])).toBe(3n)
  })

  test('refuses receivers that could never sell, and the sender itself', async () => {
    const { shares, bob, send } = market
    const zero = '0x0000000000000000000000000000000000000000'
    for (const to of [zero, shares.address, subject, bob] as const) {
      const transfer = send(bob, encodeTransfer({ subject, to, amount: 1n }))
      await expect(transfer).rejects.toThrow(new RegExp(`^InvalidReceiver\\(${to}\\)`, 'i'))
    }
  })

  test('refuses more than the sender has, and zero', async () => {
    const { bob, carol, send } = market
    await expect(send(bob, encodeTransfer({ subject, to: carol, amount: 5n }))).rejects.toThrow('BalanceTooSmall(4, 5)')
    await expect(send(bob, encodeTransfer({ subject, to: carol, amount: 0n }))).rejects.toThrow('ZeroAmount()')
  })

  test('leaves the owner its last share', async () => {
    const { alice, bob, send } = market
    await send(alice, encodeTransfer({ subject, to: bob, amount: 2n }))
    const last = send(alice, encodeTransfer({ subject, to: bob, amount: 1n }))
    await expect(last).rejects.toThrow(/^OwnerKeepsLastShare\(/)
  })
})

describe('quotes', () => {
  test('are what trades then cost', async () => {
    const { shares } = market
    expect(await shares.read.getBuyPrice([subject, 4n])).toBe(quoteBuy(3n, 4n).priceWei)
    expect(await shares.read.getBuyPriceAfterFee([subject, 4n])).toBe(quoteBuy(3n, 4n).priceAfterFeeWei)
    expect(await shares.read.getSellPrice([subject, 2n])).toBe(quoteSell(3n, 2n).priceWei)
    expect(await shares.read.getSellPriceAfterFee([subject, 2n])).toBe(quoteSell(3n, 2n).priceAfterFeeWei)
  })

  test('refuse to sell more than there is', async () => {
    const { shares } = market
    await expect(shares.read.getSellPrice([subject, 4n])).rejects.toThrow(
      'SupplyTooSmall(uint256 supply, uint256 amount)',
    )
    await expect(shares.read.getSellPriceAfterFee([subject, 4n])).rejects.toThrow('(3, 4)')
  })

  test('know the fees, and that trading is open', async () => {
    const { shares } = market
    expect(await shares.read.protocolFeePercent()).toBe(50_000_000_000_000_000n)
    expect(await shares.read.subjectFeePercent()).toBe(50_000_000_000_000_000n)
    expect(await shares.read.enableTrading()).toBe(true)
    expect(await shares.read.MAX_SUPPLY()).toBe(MAX_SUPPLY)
  })
})

test('a plain payment is refused, and money forced in changes nothing', async () => {
  const { client, shares, bob, send } = market
  await expect(send(bob, '0x', { value: 1n })).rejects.toThrow()
  await client.setBalance({ address: shares.address, value: 10n ** 24n })
  expect(await shares.read.getBuyPriceAfterFee([subject, 1n])).toBe(cost(1n))
  expect(await shares.read.claimableFees([subject])).toBe(priceOf(0n, 3n) / 20n)
})
