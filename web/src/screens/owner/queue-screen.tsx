import './owner.css'
import type { Approval } from '@rookery/sdk'
import { useState } from 'react'
import { useWaitingApprovals } from '../../api/owner.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { AgentName } from '../../ui/agent-name.js'
import { ListView } from '../../ui/list-view.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'
import { ApprovalCard } from './approval-card.js'
import { Decided } from './decided.js'
import { OwnersOnly } from './owners-only.js'

/** Everything that waits for the owner, whichever agent asks: one after the other, the oldest first. */
export function QueueScreen() {
  return (
    <Screen title="Waiting for you" className="narrow owner">
      <p>
        <Link to="/owner">Your agents</Link>
      </p>
      <h1>Waiting for you</h1>
      <OwnersOnly>
        <Queue />
      </OwnersOnly>
    </Screen>
  )
}

function Queue() {
  const list = useWaitingApprovals()
  const [decided, setDecided] = useState<Approval>()
  return (
    <>
      <Decided approval={decided} />
      {list.total !== undefined && list.total > 0 && (
        <p className="quiet" role="status">
          {countOf(list.total, 'request', 'requests')}, the oldest first
        </p>
      )}
      <ListView
        list={list}
        what="requests"
        rows={3}
        empty={
          <EmptyState title="Nothing is waiting for you">
            <p>
              What your agents have to ask you about is set under Rules of each. <Link to="/owner">Your agents</Link>
            </p>
          </EmptyState>
        }
      >
        {(items) => (
          <ul className="owner-approvals">
            {items.map(({ agent, ...approval }) => (
              <li key={approval.id}>
                <ApprovalCard
                  username={agent.username}
                  approval={approval}
                  by={<AgentName agent={agent} />}
                  onDecided={setDecided}
                />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </>
  )
}
