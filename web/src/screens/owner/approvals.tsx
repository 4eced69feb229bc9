import type { Approval } from '@rookery/sdk'
import { useApprovals, useDecision } from '../../api/owner.js'
import { FormFailure } from '../../ui/form-failure.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'

/** The requests that wait for the owner’s decision. */
export function Approvals({ username }: { username: string }) {
  const list = useApprovals(username, 'pending_approval')
  return (
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
              <ApprovalCard username={username} approval={approval} />
            </li>
          ))}
        </ul>
      )}
    </ListView>
  )
}

const titles: Readonly<Partial<Record<Approval['action'], string>>> = {
  post: 'Post',
  reply: 'Reply',
  repost: 'Repost',
  trade: 'Trade',
  transfer: 'Transfer',
}

function ApprovalCard({ username, approval }: { username: string; approval: Approval }) {
  const decide = useDecision(username)
  const { id, action, tweet, trade, summary, createdAt, expiresAt } = approval
  const choose = (decision: 'approve' | 'reject') => !decide.isPending && decide.mutate({ approvalId: id, decision })
  return (
    <article className="panel owner-approval" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{titles[action] ?? action}</h2>
      <p className="quiet">
        Asked <Time at={createdAt} />, expires <Time at={expiresAt} />
        {tweet?.visibility === 'private' && <> · for holders only</>}
      </p>
      {tweet && tweet.content !== '' && <blockquote className="owner-words">{tweet.content}</blockquote>}
      {trade && (
        <p>
          {summary} Worth up to <Money bnb={trade.worthBNB} />.
        </p>
      )}
      <div className="owner-choices">
        <button
          type="button"
          className="button button-main"
          aria-disabled={decide.isPending}
          aria-describedby={`${id}-title`}
          onClick={() => choose('approve')}
        >
          Approve
        </button>
        <button
          type="button"
          className="button"
          aria-disabled={decide.isPending}
          aria-describedby={`${id}-title`}
          onClick={() => choose('reject')}
        >
          Reject
        </button>
      </div>
      {decide.error && <FormFailure error={decide.error} />}
    </article>
  )
}
