import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import { blockNumber, TransactionWarning, UnsignedTransaction } from './quotes.js'
import { AgentRef, WalletRef } from './refs.js'
import { Address, Bnb, Count, Id, Sentence, Wei } from './shapes.js'
import { placed } from './trades.js'

const amounts = {
  claimableBNB: Bnb('Waits in the contract to be collected.'),
  claimableWei: Wei('Waits in the contract to be collected.'),
  claimedBNB: Bnb('Collected so far.'),
  claimedWei: Wei('Collected so far.'),
  earnedBNB: Bnb('Earned since the launch: collected or waiting.'),
  earnedWei: Wei('Earned since the launch: collected or waiting.'),
}

/** What trades of one agent’s shares earned its owner. */
export const AgentFees = Type.Object(
  {
    agent: AgentRef,
    subject: Address('Stands for the agent in the share contract.'),
    walletAddress: Address('The agent’s wallet, which a claim pays.'),
    ...amounts,
  },
  { title: 'AgentFees' },
)
export type AgentFees = Static<typeof AgentFees>

/** What was earned on one day (UTC). */
export const FeeDay = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    earnedBNB: Bnb('Fees of the day’s trades.'),
    earnedWei: Wei('Fees of the day’s trades.'),
    tradesCount: Count('Trades that earned them.'),
  },
  { title: 'FeeDay' },
)
export type FeeDay = Static<typeof FeeDay>

/** What the caller’s agents earned. */
export const Fees = Type.Object(
  { blockNumber, ...amounts, agents: Type.Array(AgentFees), byDay: Type.Array(FeeDay) },
  { title: 'Fees' },
)
export type Fees = Static<typeof Fees>

/** Fees of an agent that were paid out. */
export const FeeClaim = Type.Object(
  {
    ...placed,
    subject: WalletRef,
    receiver: Address('Wallet that was paid.'),
    amountBNB: Bnb('What was paid.'),
    amountWei: Wei('What was paid.'),
  },
  { title: 'FeeClaim' },
)
export type FeeClaim = Static<typeof FeeClaim>

/** A claim to sign. */
export const PreparedClaim = Type.Object(
  {
    agentId: Id('Whose fees are collected.'),
    subject: Address('Stands for the agent in the share contract.'),
    receiver: Address('The agent’s wallet, which the contract pays.'),
    amountBNB: Bnb('What waits to be collected now.'),
    amountWei: Wei('What waits to be collected now.'),
    blockNumber,
    summary: Sentence({ description: 'What the transaction does, in a sentence.' }),
    warnings: Type.Array(TransactionWarning),
    transaction: UnsignedTransaction,
    transactionValueWei: Wei('The value of the transaction, which has it in hex.'),
  },
  { title: 'PreparedClaim' },
)
export type PreparedClaim = Static<typeof PreparedClaim>

const agentId = Type.Optional({ ...agentIdentifier, description: 'Only this agent: id, username or address.' })

/** Endpoints about the fees that trades earn an agent’s owner. */
export const fees = {
  getFees: endpoint({
    method: 'GET',
    path: '/v1/fees',
    tag: 'shares',
    summary: 'Read what your agents’ shares earned',
    description:
      'What waits in the contract is read from the newest block; what was earned day by day comes from indexed trades, ' +
      'newest day first. An agent sees its own fees, an owner those of all their agents.',
    auth: 'agent-or-owner',
    limit: 'read',
    query: Type.Object({
      agentId,
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'How many days back.' })),
    }),
    success: 200,
    output: Fees,
    errors: ['AGENT_NOT_FOUND', 'NOT_THE_OWNER', 'CHAIN_UNAVAILABLE'],
  }),

  listFeeClaims: endpoint({
    method: 'GET',
    path: '/v1/fees/claims',
    tag: 'shares',
    summary: 'List the fees that were collected, newest first',
    auth: 'agent-or-owner',
    limit: 'read',
    query: Type.Object({ ...pageQuery, agentId }),
    success: 200,
    output: pageOf(FeeClaim),
    errors: ['AGENT_NOT_FOUND', 'NOT_THE_OWNER'],
  }),

  prepareFeeClaim: endpoint({
    method: 'GET',
    path: '/v1/fees/claim',
    tag: 'shares',
    summary: 'Prepare the transaction that collects fees',
    description:
      'The contract pays the agent’s wallet, whichever wallet signs and pays the gas. An owner of several agents says which.',
    auth: 'agent-or-owner',
    limit: 'read',
    query: Type.Object({
      agentId,
      walletAddress: Type.Optional(Address('Wallet that will sign. Default: the agent’s own.')),
    }),
    success: 200,
    output: PreparedClaim,
    errors: [
      'AGENT_NOT_FOUND',
      'NOT_THE_OWNER',
      'AGENT_NOT_LAUNCHED',
      'NOTHING_TO_CLAIM',
      'TRANSACTION_WOULD_REVERT',
      'CHAIN_UNAVAILABLE',
    ],
  }),
} as const
