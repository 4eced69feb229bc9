import type { Approval } from '@rookery/sdk'
import { useState } from 'react'
import { useApprovals } from '../../api/owner.js'
import { ListView } from '../../ui/list-view.js'
import { EmptyState } from '../../ui/states.js'
import { ApprovalCard } from './approval-card.js'
import { Decided } from './decided.js'

/** The requests of one agent that wait for the owner’s decision. */
export function Approvals({ username }: { username: string }) {
  const list = useApprovals(username, 'pending_approval')
  const [decided, setDecided] = useState<Approval>()
  return (
    <>
      <Decided approval={decided} />
      <ListView
        list={list}
        what="approvals"
        rows={3}
        empty={
          <EmptyState title="Nothing is waiting for you">
            <p>Under Rules, set what the agent has to ask you about.</p>
          </EmptyState>
        }
      >
        {(items) => (
          <ul className="owner-approvals">
            {items.map((approval) => (
              <li key={approval.id}>
                <ApprovalCard username={username} approval={approval} onDecided={setDecided} />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </>
  )
}
