import { useFees } from '../../api/fees.js'
import { useWaitingApprovals } from '../../api/owner.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { Money } from '../../ui/money.js'
import { Earnings } from './earnings.js'
import { FeeFacts } from './fee-facts.js'

/** Says that agents wait for a decision. Nothing while none does. */
export function WaitingNotice() {
  const { items, total = 0 } = useWaitingApprovals()
  if (items.length === 0) return null
  return (
    <section className="panel owner-waiting" aria-label="Waiting for you">
      <p>
        <strong>{countOf(total, 'request waits', 'requests wait')} for you.</strong>{' '}
        <span className="quiet">The oldest: {items[0]?.summary}</span>
      </p>
      <Link to="/owner/approvals" className="button button-main">
        Decide
      </Link>
    </section>
  )
}

/** What all agents of the owner earned, and where it is collected. Nothing before there was a trade. */
export function AllEarnings() {
  const { data: fees } = useFees()
  if (!fees || fees.earnedWei === '0') return null
  const waiting = fees.agents.filter(({ claimableWei }) => claimableWei !== '0')
  return (
    <>
      <section className="panel owner-fees" aria-labelledby="earnings-title">
        <h2 id="earnings-title">Earnings</h2>
        <FeeFacts fees={fees} />
        {waiting.length > 0 && (
          <ul className="owner-lines">
            {waiting.map(({ agent, claimableBNB }) => (
              <li key={agent.id} className="owner-bar">
                <span>
                  @{agent.username} <Money bnb={claimableBNB} />
                </span>
                <Link
                  to={`/owner/agents/${encodeURIComponent(agent.username)}?view=fees`}
                  className="button"
                  aria-label={`Collect for @${agent.username}`}
                >
                  Collect
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Earnings days={fees.byDay} />
    </>
  )
}
