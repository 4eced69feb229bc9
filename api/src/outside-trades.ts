import { type Static, Type } from 'typebox'
import { Address, Bnb, Count, Id, nullable, oneOf, Time, TransactionHash } from './shapes.js'

/** A trade or transfer by the wallet of an agent under trade rules that did not follow them. */
export const OutsideTrade = Type.Object(
  {
    id: Id('The trade or transfer.'),
    agentId: Id('The agent whose rules it did not follow.'),
    transactionHash: TransactionHash,
    walletAddress: Address('The agent’s wallet.'),
    side: oneOf(['buy', 'sell', 'transfer']),
    sharesSubject: Address('Whose shares.'),
    amount: Count('How many.'),
    to: nullable(Address('Who received them. Only for a transfer.')),
    worthBNB: nullable(
      Bnb('What was paid, or the price on the curve; null for a transfer that was not prepared here.'),
    ),
    reason: oneOf(['not_prepared', 'frozen', 'not_allowed', 'above_trade_cap', 'above_daily_cap', 'not_approved'], {
      description:
        'not_prepared: the service prepared no such transaction for the agent or its owner. The others: it was prepared, ' +
        'and broke a rule that was in force when it was mined.',
    }),
    tradedAt: Time('Time of its block.'),
    noticedAt: Time('When the service saw it and froze the agent.'),
    revertedAt: nullable(Time('When a reorganisation of the chain removed it. The agent stays frozen.')),
  },
  { title: 'OutsideTrade' },
)
export type OutsideTrade = Static<typeof OutsideTrade>
