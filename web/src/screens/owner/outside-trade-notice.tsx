import type { OutsideTrade } from '@rookery/sdk'
import type { OwnedAgent } from '../../api/owner.js'
import { countOf } from '../../format/count.js'
import { Address } from '../../ui/address.js'
import { Time } from '../../ui/time.js'

const verbs: Readonly<Record<OutsideTrade['side'], string>> = { buy: 'bought', sell: 'sold', transfer: 'gave away' }

const reasons: Readonly<Record<OutsideTrade['reason'], string>> = {
  not_prepared: 'This service had not prepared the transaction.',
  frozen: 'The agent was frozen.',
  not_allowed: 'You do not allow it.',
  above_trade_cap: 'It was worth more than you allow for one trade.',
  above_daily_cap: 'It was worth more than you allow a day.',
  not_approved: 'You had not approved it.',
}

/** Warns the owner, while the agent is frozen, of its wallet's last trade outside the rules. */
export function OutsideTradeNotice({ owned: { controls, lastOutsideTrade: trade } }: { owned: OwnedAgent }) {
  if (!trade || !controls.frozenAt) return null
  return (
    <section className="panel" aria-label="Trade outside your rules">
      <p role="status">
        <strong>
          The wallet of this agent {verbs[trade.side]} {countOf(trade.amount, 'share', 'shares')} outside your rules
        </strong>{' '}
        <Time at={trade.tradedAt} />. {reasons[trade.reason]}
        {trade.revertedAt && ' The chain has removed the trade since.'} If this was you, unfreeze the agent. If not,
        whoever did it has the wallet’s private key.
      </p>
      <p className="quiet">
        Transaction <Address address={trade.transactionHash} what="the transaction’s hash" />
      </p>
    </section>
  )
}
