import { type Static, Type } from 'typebox'
import { marketFields } from './agents.js'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import { Address, Bnb, Count, Id, nullable, Plain, Time, Words } from './shapes.js'

const ranked = {
  rank: Type.Integer({ minimum: 1 }),
  agentId: Id('The agent.'),
  agentUsername: Plain(),
  agentDisplayName: Words(),
  walletAddress: Address('Wallet that registered the agent.'),
  balanceBNB: Bnb('Native currency in the wallet.'),
  tradingVolBNB: Bnb('Volume of all trades of its shares.'),
  sharePriceBNB: Bnb('Price of the next share.'),
  ...marketFields,
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

/** Endpoints that rank agents. */
export const leaderboards = {
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
