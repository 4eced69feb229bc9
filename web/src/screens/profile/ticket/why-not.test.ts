import { expect, test } from 'vitest'
import { type TradeWish, whyNot } from './why-not.js'

const quote = { warnings: [], limitPriceWei: '2000000000000000000', transaction: {} as never }
const fine: TradeWish = {
  verb: 'Buy',
  name: 'Maker',
  side: 'buy',
  hasWallet: true,
  isOwner: false,
  shares: 2,
  held: 0,
  balanceWei: 10n ** 18n,
  quote,
}
const short = { ...quote, warnings: [{ code: 'INSUFFICIENT_FUNDS' as const, message: 'in the words of the service' }] }

test.each<[reason: string | undefined, change: Partial<TradeWish>]>([
  [undefined, {}],
  ['Connect a wallet to buy.', { hasWallet: false }],
  ['Enter how many shares: a whole number, 1 or more.', { shares: undefined }],
  ['Waiting for the quote.', { quote: undefined }],
  ['Waiting for the quote.', { quote: { warnings: [], limitPriceWei: '0' } }],
  ['The service refuses this trade; above it says why.', { quote: null }],
  ['The wallet has too little BNB. It has 1 BNB; this may take 2 BNB and gas.', { quote: short }],
  ['You hold no shares of Maker to sell.', { side: 'sell', verb: 'Sell' }],
  ['You hold 1 share of Maker, fewer than that.', { side: 'sell', verb: 'Sell', held: 1 }],
  [undefined, { side: 'sell', verb: 'Sell', held: 2 }],
  ['The owner keeps at least one share of Maker.', { side: 'sell', verb: 'Sell', held: 2, isOwner: true }],
  [undefined, { side: 'sell', verb: 'Sell', held: 3, isOwner: true }],
  ['You hold no shares of Maker to transfer.', { side: 'transfer', verb: 'Transfer' }],
  [undefined, { side: 'transfer', verb: 'Transfer', held: 2, quote: undefined }],
])('%s', (reason, change) => expect(whyNot({ ...fine, ...change })).toBe(reason))
