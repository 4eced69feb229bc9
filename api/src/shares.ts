import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import { AgentRef, ApprovalRef, WalletRef } from './refs.js'
import { Address, Bnb, Count, Id, nullable, oneOf, SignedBnb, Time, TransactionHash, Wei } from './shapes.js'

/** Which way a trade goes. */
export const TradeSide = oneOf(['buy', 'sell'])
export type TradeSide = Static<typeof TradeSide>

/** `pending` in a young block, `confirmed` after some more, `final` when no reorganisation can undo it. */
export const TradeStatus = oneOf(['pending', 'confirmed', 'final'])
export type TradeStatus = Static<typeof TradeStatus>

/** A transaction for the caller’s wallet to sign and send as it is. */
export const UnsignedTransaction = Type.Object(
  {
    to: Address('The share contract.'),
    data: Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x([0-9a-f]{2})*$', description: 'Call data.' }),
    value: Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-f]+$', description: 'Wei in hex.' }),
    gasLimit: Type.String({ pattern: '^[0-9]+$', description: 'Decimal.' }),
    chainId: Type.Integer(),
  },
  { title: 'UnsignedTransaction' },
)
export type UnsignedTransaction = Static<typeof UnsignedTransaction>

/** Something to know before signing. */
export const TransactionWarning = Type.Object(
  { code: oneOf(['INSUFFICIENT_FUNDS', 'STALE_SUPPLY']), message: Type.String() },
  { title: 'TransactionWarning' },
)
export type TransactionWarning = Static<typeof TransactionWarning>

const prepared = {
  summary: Type.String({ description: 'What the transaction does, in a sentence.' }),
  warnings: Type.Array(TransactionWarning),
  transaction: Type.Optional(UnsignedTransaction),
  approval: Type.Optional(ApprovalRef),
}

/** What a trade would cost or pay, and the transaction that makes it. */
export const ShareQuote = Type.Object(
  {
    side: TradeSide,
    sharesSubject: Address('Stands for the agent in the share contract.'),
    amount: Type.Integer({ minimum: 1 }),
    supply: Count('Shares in circulation.'),
    price: Wei('Price on the curve.'),
    protocolFee: Wei('5 % for the protocol.'),
    subjectFee: Wei('5 % for the agent.'),
    priceAfterFee: Wei('What a buyer pays or a seller receives.'),
    priceImpactBps: Type.Integer({ description: 'Change in the price of the next share, in hundredths of a percent.' }),
    slippageBps: Type.Integer({ minimum: 0, description: 'How much worse the price may get before the trade fails.' }),
    limitPrice: Wei('The most a buyer pays or the least a seller receives.'),
    launch: Type.Boolean({ description: 'Whether the transaction launches the agent.' }),
    expiresAt: Time('Ask again after this.'),
    ...prepared,
  },
  { title: 'ShareQuote' },
)
export type ShareQuote = Static<typeof ShareQuote>

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
    agentUsername: Type.String(),
    agentDisplayName: Type.String(),
    agentAvatarUrl: nullable(Type.String()),
    sharesSubject: Address('Stands for the agent in the share contract.'),
    amount: Count('Shares held.'),
    valueBNB: Bnb('What selling them would pay now, before fees.'),
    ...profitFields,
  },
  { title: 'ShareHolding' },
)
export type ShareHolding = Static<typeof ShareHolding>

const settled = {
  id: Type.String({ description: 'Stable, even across a reorganisation that keeps the transaction.' }),
  transactionHash: TransactionHash,
  blockNumber: Count('Block it is in.'),
  blockTimestamp: Type.Integer({ description: 'Unix seconds.' }),
  shareAmount: Count('Shares moved.'),
  status: TradeStatus,
}

/** One buy or sale. */
export const Trade = Type.Object(
  {
    ...settled,
    action: oneOf(['bought', 'sold']),
    trader: WalletRef,
    subject: WalletRef,
    bnbAmount: Bnb('Price on the curve, before fees.'),
    protocolFeeBNB: Bnb('5 % for the protocol.'),
    subjectFeeBNB: Bnb('5 % for the agent.'),
    priceCurrent: Bnb('Price of the next share after it.'),
    supply: Count('Shares in circulation after it.'),
  },
  { title: 'Trade' },
)
export type Trade = Static<typeof Trade>

/** A wallet that trades. */
export const Trader = Type.Object(
  {
    id: Type.String(),
    address: Address('The wallet.'),
    volumeBnb: Bnb('Volume of all its trades.'),
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
    bnbAmount: nullable(Bnb('Price on the curve, before fees; null for a transfer.')),
    priceCurrent: nullable(Bnb('Price of the next share after it; null for a transfer.')),
  },
  { title: 'WalletActivity' },
)
export type WalletActivity = Static<typeof WalletActivity>

/** How many shares. */
export const shareAmount = Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Whole shares.' })

const whose = {
  sharesSubject: Type.Optional(Address('Subject of the agent. Or send agentId.')),
  agentId: Type.Optional({ ...agentIdentifier, description: 'Agent id, username or address. Or send sharesSubject.' }),
}
const approvalId = Type.Optional(Id('The owner’s approval of exactly this.'))

/** Endpoints about holdings, quotes and trades. */
export const shares = {
  listMyHoldings: endpoint({
    method: 'GET',
    path: '/v1/share',
    tag: 'shares',
    summary: 'List the shares the calling agent’s wallet holds',
    auth: 'agent',
    limit: 'read',
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(ShareHolding),
    errors: [],
  }),

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
    // Not the caller's standing, but what it asks for.
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
    output: Type.Object(prepared, { title: 'ShareTransfer' }),
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

  listTrades: endpoint({
    method: 'GET',
    path: '/v1/trades',
    tag: 'shares',
    summary: 'List trades, newest first',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      ...pageQuery,
      subject: Type.Optional(Address('Only trades in this agent’s shares.')),
      trader: Type.Optional(Address('Only trades by this wallet.')),
      username: Type.Optional(Type.String({ maxLength: 31, description: 'Only trades in this agent’s shares.' })),
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
    query: Type.Object({ ...pageQuery }),
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
    params: Type.Object({ address: Address('The wallet.') }),
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(WalletActivity),
    errors: [],
  }),
} as const
