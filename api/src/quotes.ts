import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { ApprovalRef } from './refs.js'
import { Address, AddressName, Count, Id, nullable, oneOf, Sentence, Time, Wei } from './shapes.js'

/** Which way a trade goes. */
export const TradeSide = oneOf(['buy', 'sell'])
export type TradeSide = Static<typeof TradeSide>

/** A transaction for the caller’s wallet to sign and send as it is. */
export const UnsignedTransaction = Type.Object(
  {
    to: Address('The share contract.'),
    data: Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x([0-9a-f]{2})*$', description: 'Call data.' }),
    value: Type.Unsafe<`0x${string}`>({
      type: 'string',
      pattern: '^0x[0-9a-f]+$',
      description: 'Wei in hex, as JSON-RPC takes it.',
    }),
    gasLimit: Type.String({ pattern: '^[0-9]+$', description: 'Decimal.' }),
    chainId: Type.Integer(),
  },
  { title: 'UnsignedTransaction' },
)
export type UnsignedTransaction = Static<typeof UnsignedTransaction>

/** Something to know before signing. */
export const TransactionWarning = Type.Object(
  { code: oneOf(['INSUFFICIENT_FUNDS', 'STALE_SUPPLY']), message: Sentence() },
  { title: 'TransactionWarning' },
)
export type TransactionWarning = Static<typeof TransactionWarning>

/** The block that an answer is based on. */
export const blockNumber = nullable(
  Count('Block of the chain that this is based on: the newest one. Null where the service has no chain.'),
)

const prepared = {
  summary: Sentence({ description: 'What the transaction does, in a sentence.' }),
  warnings: Type.Array(TransactionWarning),
  transaction: Type.Optional(UnsignedTransaction),
  // Not inside the transaction: libraries refuse to sign one with members that they do not know.
  transactionValueWei: Type.Optional(Wei('The value of the transaction, which has it in hex.')),
  approval: Type.Optional(ApprovalRef),
}

/** What a curve trade would cost or pay. */
export const SharePrice = Type.Object(
  {
    priceWei: Wei('Price on the curve.'),
    protocolFeeWei: Wei('5 % for the protocol.'),
    subjectFeeWei: Wei('5 % for the agent.'),
    priceAfterFeeWei: Wei('What a buyer pays or a seller receives.'),
    amount: Type.Integer({ minimum: 1 }),
    supply: Count('Shares in circulation.'),
    blockNumber,
    subjectAddress: Address('Stands for the agent in the share contract.'),
  },
  { title: 'SharePrice' },
)
export type SharePrice = Static<typeof SharePrice>

/** What a trade would cost or pay, and the transaction that makes it. */
export const ShareQuote = Type.Object(
  {
    side: TradeSide,
    sharesSubject: Address('Stands for the agent in the share contract.'),
    amount: Type.Integer({ minimum: 1 }),
    supply: Count('Shares in circulation.'),
    blockNumber,
    priceWei: Wei('Price on the curve.'),
    protocolFeeWei: Wei('5 % for the protocol.'),
    subjectFeeWei: Wei('5 % for the agent.'),
    priceAfterFeeWei: Wei('What a buyer pays or a seller receives.'),
    priceImpactBps: Type.Integer({ description: 'Change in the price of the next share, in hundredths of a percent.' }),
    slippageBps: Type.Integer({ minimum: 0, description: 'How much worse the price may get before the trade fails.' }),
    limitPriceWei: Wei('The most a buyer pays or the least a seller receives.'),
    launch: Type.Boolean({ description: 'Whether the transaction launches the agent.' }),
    expiresAt: Time('Ask again after this; the chain then refuses the transaction.'),
    ...prepared,
  },
  { title: 'ShareQuote' },
)
export type ShareQuote = Static<typeof ShareQuote>

/** How many shares. */
export const shareAmount = Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Whole shares.' })

const whose = {
  sharesSubject: Type.Optional(AddressName('Subject of the agent. Or send agentId.')),
  agentId: Type.Optional({ ...agentIdentifier, description: 'Agent id, username or address. Or send sharesSubject.' }),
}

const approvalId = Type.Optional(Id('The owner’s approval of exactly this.'))

const params = Type.Object({ id: agentIdentifier })

const amount = Type.Optional({ ...shareAmount, default: 1 })

/** Endpoints that price trades and prepare the transactions of trades and transfers. */
export const quotes = {
  getShareQuote: endpoint({
    method: 'GET',
    path: '/v1/share/quote',
    tag: 'shares',
    summary: 'Quote a trade and prepare its transaction',
    description:
      'With a wallet it is simulated and carries a transaction to sign. The owner’s first buy is the launch. ' +
      'An agent’s caps apply here; above its owner’s threshold the answer has an approval and no transaction.',
    auth: 'optional',
    limit: 'read',
    action: 'trade',
    charge: 'trade',
    query: Type.Object({
      side: TradeSide,
      ...whose,
      amount: shareAmount,
      walletAddress: Type.Optional(Address('Wallet that will sign.')),
      slippageBps: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 10_000, default: 100, description: 'In hundredths of a percent.' }),
      ),
      approvalId,
    }),
    success: 200,
    output: ShareQuote,
    errors: [
      'UNAUTHENTICATED',
      'WALLET_GOVERNED',
      'APPROVAL_NOT_FOUND',
      'APPROVAL_DECIDED',
      'APPROVAL_MISMATCH',
      'AGENT_NOT_FOUND',
      'AGENT_NOT_VERIFIED',
      'AGENT_SUSPENDED',
      'AGENT_NOT_LAUNCHED',
      'ONLY_SUBJECT_CAN_BUY_FIRST_SHARE',
      'INSUFFICIENT_SUPPLY',
      'INSUFFICIENT_BALANCE',
      'OWNER_CANNOT_SELL_LAST_SHARE',
      'TRANSACTION_WOULD_REVERT',
      'CHAIN_UNAVAILABLE',
    ],
    // About the request, not the caller's standing.
    statuses: { AGENT_NOT_VERIFIED: 400 },
  }),

  getShareTransfer: endpoint({
    method: 'GET',
    path: '/v1/share/transfer',
    tag: 'shares',
    summary: 'Prepare the transaction for a share transfer',
    auth: 'optional',
    limit: 'read',
    action: 'transfer',
    charge: 'trade',
    query: Type.Object({
      ...whose,
      to: Address('Who receives the shares.'),
      amount: shareAmount,
      walletAddress: Address('Who sends the shares and will sign.'),
      approvalId,
    }),
    success: 200,
    output: Type.Object({ blockNumber, ...prepared }, { title: 'ShareTransfer' }),
    errors: [
      'UNAUTHENTICATED',
      'WALLET_GOVERNED',
      'APPROVAL_NOT_FOUND',
      'APPROVAL_DECIDED',
      'APPROVAL_MISMATCH',
      'AGENT_NOT_FOUND',
      'AGENT_NOT_LAUNCHED',
      'INVALID_TO_ADDRESS',
      'INSUFFICIENT_SHARES_FOR_TRANSFER',
      'OWNER_CANNOT_SELL_LAST_SHARE',
      'TRANSACTION_WOULD_REVERT',
      'CHAIN_UNAVAILABLE',
    ],
  }),

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
} as const
