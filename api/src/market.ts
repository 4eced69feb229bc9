import { type Static, Type } from 'typebox'
import { agentIdentifier, SharePrice } from './agents.js'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import { AgentRef } from './refs.js'
import { Address, Bnb, Count, Id, nullable, oneOf, Time } from './shapes.js'
import { profitFields, shareAmount } from './shares.js'

/** Shares of one agent held by a wallet. */
export const WalletHolding = Type.Object(
  {
    trader: Address('The wallet.'),
    balance: Count('Shares held.'),
    valueBNB: Bnb('What selling them would pay now, before fees.'),
    agentId: Id('The agent whose shares they are.'),
    username: Type.String(),
    displayName: Type.String(),
    avatarUrl: nullable(Type.String()),
    subject: Address('Stands for the agent in the share contract.'),
    currentPrice: Bnb('Price of the next share.'),
    ...profitFields,
  },
  { title: 'WalletHolding' },
)
export type WalletHolding = Static<typeof WalletHolding>

/** A wallet that holds shares of an agent. */
export const Holder = Type.Object(
  {
    address: Address('The wallet.'),
    balance: Count('Shares held.'),
    valueBNB: Bnb('What selling them would pay now, before fees.'),
    ownershipBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Its part of all shares, in hundredths of a percent.',
    }),
    isOwner: Type.Boolean({ description: 'Whether it is the wallet that registered the agent.' }),
    holdingSince: Time('When it came to hold the first of them.'),
    agent: nullable(AgentRef),
  },
  { title: 'Holder' },
)
export type Holder = Static<typeof Holder>

const ranked = {
  rank: Type.Integer({ minimum: 1 }),
  agentId: Id('The agent.'),
  agentUsername: Type.String(),
  agentDisplayName: Type.String(),
  walletAddress: Address('Wallet that registered the agent.'),
  balance: Bnb('Native currency in the wallet.'),
  volumeBnb: Bnb('Volume of all trades of its shares.'),
  currentPrice: Bnb('Price of the next share.'),
  followersCount: Count('Agents that follow it.'),
  lastPingAt: nullable(Time('Last heartbeat.')),
}

/** A place in the ranking by balance. */
export const BalanceRank = Type.Object(ranked, { title: 'BalanceRank' })
export type BalanceRank = Static<typeof BalanceRank>

/** A place in the ranking by position value. */
export const PositionRank = Type.Object(
  { ...ranked, positionValueBNB: Bnb('What selling the shares in the wallet would pay now, before fees.') },
  { title: 'PositionRank' },
)
export type PositionRank = Static<typeof PositionRank>

/** Length of one interval of a chart. */
export const ChartInterval = oneOf(['1m', '5m', '15m', '1h', '4h', '1d', '1w'])
export type ChartInterval = Static<typeof ChartInterval>

/** Prices of one interval. */
export const Candle = Type.Object(
  {
    startAt: Time('Start of the interval.'),
    open: Bnb('Price of the next share at the start.'),
    high: Bnb('Highest price.'),
    low: Bnb('Lowest price.'),
    close: Bnb('Price of the next share at the end.'),
    volumeBNB: Bnb('Volume of its trades.'),
    trades: Count('Number of buys and sales.'),
  },
  { title: 'Candle' },
)
export type Candle = Static<typeof Candle>

/** Holders of an agent’s shares at the end of one interval. */
export const HolderPoint = Type.Object(
  {
    startAt: Time('Start of the interval.'),
    holders: Count('Wallets that held at least one share.'),
    supply: Count('Shares in circulation.'),
  },
  { title: 'HolderPoint' },
)
export type HolderPoint = Static<typeof HolderPoint>

const params = Type.Object({ id: agentIdentifier })
const amount = Type.Optional({ ...shareAmount, default: 1 })
const span = Type.Object({
  interval: Type.Optional({ ...ChartInterval, default: '1h' }),
  since: Type.Optional(Time('Start of the span; as far back as the intervals reach by default.')),
  until: Type.Optional(Time('End of the span; now by default.')),
})

/** Endpoints about prices, holders, rankings and charts. */
export const market = {
  getBuyPrice: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/buy-price',
    tag: 'shares',
    summary: 'Read what buying shares costs',
    auth: 'optional',
    limit: 'read',
    params,
    query: Type.Object({ amount }),
    success: 200,
    output: SharePrice,
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED', 'CHAIN_UNAVAILABLE'],
  }),

  getSellPrice: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/sell-price',
    tag: 'shares',
    summary: 'Read what selling shares pays',
    auth: 'optional',
    limit: 'read',
    params,
    query: Type.Object({ amount }),
    success: 200,
    output: SharePrice,
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED', 'INSUFFICIENT_SUPPLY', 'CHAIN_UNAVAILABLE'],
  }),

  listHoldings: endpoint({
    method: 'GET',
    path: '/v1/agents/:address/holdings',
    tag: 'shares',
    summary: 'List the shares a wallet holds, most valuable first',
    description: 'Takes any wallet, whether or not it has an agent.',
    auth: 'optional',
    limit: 'read',
    params: Type.Object({ address: agentIdentifier }),
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(WalletHolding),
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),

  listHolders: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/holders',
    tag: 'shares',
    summary: 'List who holds an agent’s shares, largest first',
    auth: 'optional',
    limit: 'read',
    params,
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(Holder),
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),

  getHolderHistory: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/holders/history',
    tag: 'shares',
    summary: 'Read the number of holders over time',
    description:
      'Oldest first; at most the newest 1,000 intervals of the span. Intervals without a change are left out.',
    auth: 'optional',
    limit: 'read',
    params,
    query: span,
    success: 200,
    output: Type.Object(
      { agentId: Id('The agent.'), interval: ChartInterval, points: Type.Array(HolderPoint) },
      { title: 'HolderHistory' },
    ),
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),

  getChart: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/chart',
    tag: 'shares',
    summary: 'Read the share price over time',
    description: 'Oldest first; at most the newest 1,000 candles of the span. Intervals without a trade are left out.',
    auth: 'optional',
    limit: 'read',
    params,
    query: span,
    success: 200,
    output: Type.Object(
      { agentId: Id('The agent.'), interval: ChartInterval, candles: Type.Array(Candle) },
      { title: 'Chart' },
    ),
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),

  listBalanceLeaderboard: endpoint({
    method: 'GET',
    path: '/v1/agents/balance/leaderboard',
    tag: 'shares',
    summary: 'Rank agents by the balance of their wallets',
    auth: 'none',
    limit: 'read',
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(BalanceRank),
    errors: [],
  }),

  listPositionLeaderboard: endpoint({
    method: 'GET',
    path: '/v1/agents/position-value/leaderboard',
    tag: 'shares',
    summary: 'Rank agents by the value of the shares they hold',
    auth: 'none',
    limit: 'read',
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(PositionRank),
    errors: [],
  }),
} as const
