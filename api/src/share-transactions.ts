import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { FeeClaim } from './fees.js'
import { Count, Name, nullable, oneOf, Plain, Sentence, TransactionHash } from './shapes.js'
import { Trade, TransferRecord } from './trades.js'

/**
 * How far a transaction has come: `sent` and waiting for a block, `mined` in a block that is not indexed yet, `failed` in
 * a block without any effect, and then the states of a trade.
 */
export const TransactionStatus = oneOf(['sent', 'mined', 'failed', 'pending', 'confirmed', 'final'])
export type TransactionStatus = Static<typeof TransactionStatus>

/** Why a transaction failed. */
export const TransactionFailure = Type.Object(
  {
    error: nullable(Plain({ description: 'The contract’s name of the error, such as CostAboveMaximum.' })),
    message: Sentence({ description: 'Why, in a sentence.' }),
  },
  { title: 'TransactionFailure', description: 'Present only when it failed.' },
)
export type TransactionFailure = Static<typeof TransactionFailure>

/** A transaction of the share contract, and what it did. */
export const ShareTransaction = Type.Object(
  {
    transactionHash: TransactionHash,
    status: TransactionStatus,
    indexed: Type.Boolean({ description: 'Whether lists, profiles and balances of this service include it.' }),
    blockNumber: nullable(Count('Block it is in; null while it is in none.')),
    failure: Type.Optional(TransactionFailure),
    trades: Type.Array(Trade),
    transfers: Type.Array(TransferRecord),
    feeClaims: Type.Array(FeeClaim),
  },
  { title: 'ShareTransaction' },
)
export type ShareTransaction = Static<typeof ShareTransaction>

/** The longest that a call waits for the index, in seconds. */
export const MOST_WAIT_SECONDS = 10

/** How long to wait until a transaction is indexed. */
export const waitSeconds = Type.Integer({
  minimum: 0,
  maximum: MOST_WAIT_SECONDS,
  default: 0,
  description: 'How many seconds to wait at most until it is indexed.',
})

/** The endpoint that follows a transaction after it was sent. */
export const shareTransactions = {
  getTrade: endpoint({
    method: 'GET',
    path: '/v1/trades/:transactionHash',
    tag: 'shares',
    summary: 'Read what a transaction did, and wait until it is indexed',
    description:
      'With `wait` the answer comes as soon as the transaction is indexed, so that nobody has to poll. After the wait, ' +
      '`indexed` and `status` say how far it has come. A transaction that the chain does not have, or in which the ' +
      'share contract had no part, is 404. For one that failed, `failure` says why.',
    auth: 'optional',
    limit: 'read',
    params: Type.Object({
      transactionHash: Name('Hash of the transaction.'),
    }),
    query: Type.Object({ wait: Type.Optional(waitSeconds) }),
    success: 200,
    output: ShareTransaction,
    errors: ['TRANSACTION_NOT_FOUND', 'CHAIN_UNAVAILABLE'],
  }),
} as const
