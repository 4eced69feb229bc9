import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { Bnb, Count, Id, oneOf, Time } from './shapes.js'

/** Length of one interval of a chart. */
export const ChartInterval = oneOf(['1m', '5m', '15m', '1h', '4h', '1d', '1w'])
export type ChartInterval = Static<typeof ChartInterval>

/** Prices of one interval. */
export const Candle = Type.Object(
  {
    startAt: Time('Start of the interval.'),
    openBNB: Bnb('Price of the next share at the start.'),
    highBNB: Bnb('Highest price.'),
    lowBNB: Bnb('Lowest price.'),
    closeBNB: Bnb('Price of the next share at the end.'),
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

const span = Type.Object({
  interval: Type.Optional({ ...ChartInterval, default: '1h' }),
  since: Type.Optional(Time('Start of the span; as far back as the intervals reach by default.')),
  until: Type.Optional(Time('End of the span; now by default.')),
})

/** Endpoints about prices and holders over time. */
export const charts = {
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
} as const
