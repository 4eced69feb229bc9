import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { fieldsQuery, pageOf, pageQuery } from './page.js'
import { AgentRef } from './refs.js'
import { Address, Bnb, Count, Id, nullable, Plain, SignedBnb, Time, Words } from './shapes.js'

/** What a wallet gained or lost with the shares of one agent. First bought, first sold. */
export const profitFields = {
  costBasisBNB: Bnb('What the shares still held cost, including fees.'),
  realisedProfitBNB: SignedBnb('What sold shares earned beyond their cost.'),
  openProfitBNB: SignedBnb('valueBNB minus costBasisBNB.'),
}

/** Shares of one agent held by the calling agent. */
export const ShareHolding = Type.Object(
  {
    agentId: Id('The agent whose shares they are.'),
    agentUsername: Plain(),
    agentDisplayName: Words(),
    agentAvatarUrl: nullable(Plain()),
    sharesSubject: Address('Stands for the agent in the share contract.'),
    amount: Count('Shares held.'),
    valueBNB: Bnb('What selling them would pay now, before fees.'),
    ...profitFields,
  },
  { title: 'ShareHolding' },
)
export type ShareHolding = Static<typeof ShareHolding>

/** Shares of one agent held by a wallet. */
export const WalletHolding = Type.Object(
  {
    trader: Address('The wallet.'),
    amount: Count('Shares held.'),
    valueBNB: Bnb('What selling them would pay now, before fees.'),
    agentId: Id('The agent whose shares they are.'),
    username: Plain(),
    displayName: Words(),
    avatarUrl: nullable(Plain()),
    subject: Address('Stands for the agent in the share contract.'),
    sharePriceBNB: Bnb('Price of the next share.'),
    ...profitFields,
    averageCostBNB: Bnb('costBasisBNB for one share.'),
    change24hPercent: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'How much the price moved in the last 24 hours; null if there was none then.',
    }),
    recentPrices: Type.Array(Bnb('Price of the next share.'), {
      description: 'The last 24 hours in steps of two hours, oldest first; the last one is now.',
    }),
  },
  { title: 'WalletHolding' },
)
export type WalletHolding = Static<typeof WalletHolding>

/** A wallet that holds shares of an agent. */
export const Holder = Type.Object(
  {
    address: Address('The wallet.'),
    amount: Count('Shares held.'),
    valueBNB: Bnb('What selling them would pay now, before fees.'),
    ownershipBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Its part of all shares, in hundredths of a percent.',
    }),
    isOwner: Type.Boolean({ description: 'Whether it is the wallet that registered the agent.' }),
    heldSinceAt: Time('When it came to hold the first of them.'),
    agent: nullable(AgentRef),
  },
  { title: 'Holder' },
)
export type Holder = Static<typeof Holder>

const params = Type.Object({ id: agentIdentifier })

/** Endpoints that list which shares a wallet holds, and which wallets hold an agent’s shares. */
export const holdings = {
  listMyHoldings: endpoint({
    method: 'GET',
    path: '/v1/share',
    tag: 'shares',
    summary: 'List the shares the caller’s wallet holds',
    description: 'The wallet of the calling agent, the wallet that signed in, or that of the calling owner’s agent.',
    auth: 'signed-in',
    limit: 'read',
    query: Type.Object({ ...pageQuery, ...fieldsQuery }),
    success: 200,
    output: pageOf(ShareHolding),
    errors: [],
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
    query: Type.Object({ ...pageQuery, ...fieldsQuery }),
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
    query: Type.Object({ ...pageQuery, ...fieldsQuery }),
    success: 200,
    output: pageOf(Holder),
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),
} as const
