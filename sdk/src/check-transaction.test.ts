import type { ShareQuote, UnsignedTransaction } from '@rookery/api'
import {
  encodeBuy,
  encodeClaimFees,
  encodeLaunch,
  encodeSell,
  encodeTransfer,
  quoteBuy,
  quoteSell,
  subjectAddress,
} from '@rookery/contracts'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkQuote } from './check-quote.js'
import { checkClaim, checkTrade, checkTransfer } from './check-transaction.js'

const owner = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const agent = { id: '1', username: 'ada', owner, subject: subjectAddress(owner, 'ada') } as const
const { subject } = agent
const stranger = subjectAddress(other, 'ada')
const expiresAt = '2026-11-18T00:01:00.000Z'
const deadline = BigInt(Date.parse(expiresAt) / 1000)

function quoteOf(side: 'buy' | 'sell', supply: bigint, amount: bigint, slippageBps = 100): ShareQuote {
  const price = (side === 'buy' ? quoteBuy : quoteSell)(supply, amount)
  const slipped = BigInt(side === 'buy' ? 10_000 + slippageBps : 10_000 - slippageBps)
  return {
    side,
    sharesSubject: subject,
    amount: Number(amount),
    supply: Number(supply),
    blockNumber: 1,
    priceWei: String(price.priceWei),
    protocolFeeWei: String(price.protocolFeeWei),
    subjectFeeWei: String(price.subjectFeeWei),
    priceAfterFeeWei: String(price.priceAfterFeeWei),
    priceImpactBps: 0,
    slippageBps,
    limitPriceWei: String((price.priceAfterFeeWei * slipped) / 10_000n),
    launch: side === 'buy' && supply === 0n,
    expiresAt,
    summary: '',
    warnings: [],
  }
}

const transaction = (data: Hex, value = 0n): UnsignedTransaction => ({
  to: other,
  data,
  value: `0x${value.toString(16)}`,
  gasLimit: '150000',
  chainId: 1,
})
const MISMATCH = expect.objectContaining({ name: 'WalletError', code: 'QUOTE_MISMATCH' })

describe('a quote', () => {
  const wanted = { side: 'buy', amount: 3, slippageBps: 100, subject, supply: 10n } as const
  const quote = quoteOf('buy', 10n, 3n)

  test('that follows from the curve passes, on both sides', () => {
    expect(() => checkQuote(quote, wanted)).not.toThrow()
    expect(() => checkQuote(quoteOf('sell', 10n, 3n), { ...wanted, side: 'sell' })).not.toThrow()
    expect(() => checkQuote(quoteOf('buy', 0n, 3n), { ...wanted, supply: 0n })).not.toThrow()
  })

  test.each<[string, Partial<ShareQuote>]>([
    ['side', { side: 'sell' }],
    ['amount', { amount: 4 }],
    ['subject', { sharesSubject: stranger }],
    ['supply', { supply: 11 }],
    ['price', { priceWei: String(BigInt(quote.priceWei) + 1n) }],
    ['fee of the protocol', { protocolFeeWei: '0' }],
    ['fee of the agent', { subjectFeeWei: '0' }],
    ['price with fees', { priceAfterFeeWei: String(BigInt(quote.priceAfterFeeWei) + 1n) }],
    ['limit above the slippage', { limitPriceWei: String(BigInt(quote.limitPriceWei) + 1n) }],
  ])('with another %s does not', (_, lie) => {
    expect(() => checkQuote({ ...quote, ...lie }, wanted)).toThrow(MISMATCH)
  })

  test('to sell for less than the slippage allows does not', () => {
    const sale = quoteOf('sell', 10n, 3n)
    const limitPriceWei = String(BigInt(sale.limitPriceWei) - 1n)
    expect(() => checkQuote({ ...sale, limitPriceWei }, { ...wanted, side: 'sell' })).toThrow(MISMATCH)
  })
})

describe('a transaction', () => {
  const buying = quoteOf('buy', 10n, 3n)
  const limit = BigInt(buying.limitPriceWei)
  const buy = { subject, amount: 3n, bounds: { maxCostWei: limit, deadline } }
  const selling = quoteOf('sell', 10n, 3n)
  const least = BigInt(selling.limitPriceWei)
  const sale = { subject, amount: 3n, bounds: { minProceedsWei: least, deadline } }
  const launching = quoteOf('buy', 0n, 3n)
  const launch = { subject, name: 'ada', permit: `0x${'11'.repeat(97)}` as Hex, amount: 3n }
  const price = BigInt(launching.limitPriceWei)

  test('that makes exactly the quoted trade passes', () => {
    expect(() => checkTrade(transaction(encodeBuy(buy), limit), buying, agent)).not.toThrow()
    expect(() => checkTrade(transaction(encodeSell(sale)), selling, agent)).not.toThrow()
    expect(() => checkTrade(transaction(encodeLaunch(launch), price), launching, agent)).not.toThrow()
    const one = quoteOf('buy', 0n, 1n)
    expect(() => checkTrade(transaction(encodeLaunch({ ...launch, amount: 1n })), one, agent)).not.toThrow()
  })

  test.each<[string, UnsignedTransaction, ShareQuote]>([
    ['pays more', transaction(encodeBuy(buy), limit + 1n), buying],
    ['buys another agent', transaction(encodeBuy({ ...buy, subject: stranger }), limit), buying],
    ['buys more', transaction(encodeBuy({ ...buy, amount: 4n }), limit), buying],
    [
      'has a higher limit',
      transaction(encodeBuy({ ...buy, bounds: { ...buy.bounds, maxCostWei: limit + 1n } }), limit),
      buying,
    ],
    [
      'is valid for longer',
      transaction(encodeBuy({ ...buy, bounds: { ...buy.bounds, deadline: deadline + 1n } }), limit),
      buying,
    ],
    ['has no limit', transaction(encodeBuy({ subject, amount: 3n }), limit), buying],
    ['sells instead', transaction(encodeSell(sale), limit), buying],
    ['gives shares away instead', transaction(encodeTransfer({ subject, to: other, amount: 3n })), selling],
    [
      'sells for less',
      transaction(encodeSell({ ...sale, bounds: { ...sale.bounds, minProceedsWei: least - 1n } })),
      selling,
    ],
    ['sells and pays', transaction(encodeSell(sale), 1n), selling],
    ['sells without a limit', transaction(encodeSell({ subject, amount: 3n })), selling],
    ['launches under another name', transaction(encodeLaunch({ ...launch, name: 'bob' }), price), launching],
    ['launches with more', transaction(encodeLaunch({ ...launch, amount: 4n }), price), launching],
    ['launches what is launched', transaction(encodeLaunch(launch), limit), { ...buying, launch: true }],
    ['has something behind its arguments', transaction(`${encodeBuy(buy)}00`, limit), buying],
    ['calls something else', transaction('0xdeadbeef', limit), buying],
    ['calls nothing', transaction('0x', limit), buying],
  ])('that %s does not', (_, wrong, quote) => {
    expect(() => checkTrade(wrong, quote, agent)).toThrow(MISMATCH)
  })

  test('of a transfer or a claim is held against what was asked for', () => {
    const gift = { subject, to: other, amount: 2 } as const
    const giving = (more: object) => transaction(encodeTransfer({ ...gift, amount: 2n, ...more }))
    expect(() => checkTransfer(giving({}), gift)).not.toThrow()
    for (const lie of [{ to: owner }, { amount: 3n }, { subject: stranger }])
      expect(() => checkTransfer(giving(lie), gift)).toThrow(MISMATCH)
    expect(() => checkClaim(transaction(encodeClaimFees({ subject })), agent)).not.toThrow()
    expect(() => checkClaim(transaction(encodeClaimFees({ subject, receiver: owner })), agent)).not.toThrow()
    expect(() => checkClaim(transaction(encodeClaimFees({ subject, receiver: other })), agent)).toThrow(MISMATCH)
    expect(() => checkClaim(transaction(encodeClaimFees({ subject: stranger })), agent)).toThrow(MISMATCH)
    expect(() => checkClaim(transaction(encodeClaimFees({ subject }), 1n), agent)).toThrow(MISMATCH)
  })
})
