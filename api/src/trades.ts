import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { fieldsQuery, idsQuery, pageOf, pageQuery } from './page.js'
import { AgentRef, WalletRef } from './refs.js'
import {
  Address,
  AddressName,
  Bnb,
  Count,
  Id,
  Name,
  nullable,
  oneOf,
  Plain,
  Time,
  TransactionHash,
  UnixTime,
} from './shapes.js'

/** `pending` in a young block, `confirmed` after some more, `final` when no reorganisation can undo it. */
export const TradeStatus = oneOf(['pending', 'confirmed', 'final'])
export type TradeStatus = Static<typeof TradeStatus>

/** What everything on the chain has: where it happened, and how sure it is. */
export const placed = {
  id: Plain({ description: 'Stable, even across a reorganisation that keeps the transaction.' }),
  transactionHash: TransactionHash,
  blockNumber: Count('Block it is in.'),
  blockTimeUnix: UnixTime('When its block was made.'),
  status: TradeStatus,
}

const settled = { ...placed, shareAmount: Count('Shares moved.') }

/** One buy or sale. */
export const Trade = Type.Object(
  {
    ...settled,
    action: oneOf(['bought', 'sold']),
    trader: WalletRef,
    subject: WalletRef,
    priceBNB: Bnb('Price on the curve, before fees.'),
    protocolFeeBNB: Bnb('5 % for the protocol.'),
    subjectFeeBNB: Bnb('5 % for the agent.'),
    sharePriceBNB: Bnb('Price of the next share after it.'),
    supply: Count('Shares in circulation after it.'),
  },
  { title: 'Trade' },
)
export type Trade = Static<typeof Trade>

/** Shares that moved from one wallet to another. */
export const TransferRecord = Type.Object(
  { ...settled, sender: WalletRef, receiver: WalletRef, subject: WalletRef },
  { title: 'TransferRecord' },
)
export type TransferRecord = Static<typeof TransferRecord>

/** A wallet that trades. */
export const Trader = Type.Object(
  {
    id: Plain(),
    address: Address('The wallet.'),
    volumeBNB: Bnb('Volume of all its trades.'),
    totalTrades: Count('Buys and sales.'),
    totalInvestedSubjects: Count('Agents whose shares it has bought.'),
    latestTradeAt: Time('Its newest trade.'),
    agent: nullable(AgentRef),
  },
  { title: 'Trader' },
)
export type Trader = Static<typeof Trader>

/** A trade or transfer, from one wallet’s side. */
export const WalletActivity = Type.Object(
  {
    ...settled,
    action: oneOf(['bought', 'sold', 'sent', 'received']),
    subject: WalletRef,
    counterparty: nullable(
      Type.Object(WalletRef.properties, { description: 'Other side of a transfer; null for a trade.' }),
    ),
    priceBNB: nullable(Bnb('Price on the curve, before fees; null for a transfer.')),
    sharePriceBNB: nullable(Bnb('Price of the next share after it; null for a transfer.')),
  },
  { title: 'WalletActivity' },
)
export type WalletActivity = Static<typeof WalletActivity>

/** Endpoints that list trades and the wallets that made them. */
export const trades = {
  listTrades: endpoint({
    method: 'GET',
    path: '/v1/trades',
    tag: 'shares',
    summary: 'List trades, newest first',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      ...pageQuery,
      ...fieldsQuery,
      ...idsQuery('transaction hashes'),
      subject: Type.Optional(AddressName('Only trades in this agent’s shares.')),
      trader: Type.Optional(AddressName('Only trades by this wallet.')),
      username: Type.Optional(Name('Only trades in this agent’s shares.')),
      agentId: Type.Optional(Id('Only trades in this agent’s shares.')),
    }),
    success: 200,
    output: pageOf(Trade),
    errors: [],
  }),

  listTraders: endpoint({
    method: 'GET',
    path: '/v1/traders',
    tag: 'shares',
    summary: 'List traders, largest volume first',
    auth: 'none',
    limit: 'read',
    query: Type.Object({ ...pageQuery, ...fieldsQuery }),
    success: 200,
    output: pageOf(Trader),
    errors: [],
  }),

  listTraderActivities: endpoint({
    method: 'GET',
    path: '/v1/traders/:address/activities',
    tag: 'shares',
    summary: 'List trades and transfers of a wallet, newest first',
    auth: 'none',
    limit: 'read',
    params: Type.Object({ address: AddressName('The wallet.') }),
    query: Type.Object({ ...pageQuery, ...fieldsQuery }),
    success: 200,
    output: pageOf(WalletActivity),
    errors: ['NOT_FOUND'],
  }),
} as const
