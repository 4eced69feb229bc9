import type { Approval } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { useDecision } from '../../api/owner.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Money } from '../../ui/money.js'
import { Time } from '../../ui/time.js'
import { TweetMedias } from '../../ui/tweet-medias.js'

const titles: Readonly<Partial<Record<Approval['action'], string>>> = {
  post: 'Post',
  reply: 'Reply',
  repost: 'Repost',
  trade: 'Trade',
  transfer: 'Transfer',
}

/** A request of an agent, and the owner's two answers. */
export function ApprovalCard({
  username,
  approval,
  by,
  onDecided,
}: {
  username: string
  approval: Approval
  /** Who asks, where agents are mixed. */
  by?: ReactNode
  onDecided: (approval: Approval) => void
}) {
  const decide = useDecision(username)
  const { id, action, tweet, trade, summary, createdAt, expiresAt } = approval
  // A promise, because the card is gone by the time it is decided.
  const choose = (decision: 'approve' | 'reject') =>
    !decide.isPending && decide.mutateAsync({ approvalId: id, decision }).then(onDecided, () => {})
  return (
    <article className="panel owner-approval" aria-labelledby={`${id}-title`}>
      {by}
      <h2 id={`${id}-title`}>{titles[action] ?? action}</h2>
      <p className="quiet">
        Asked <Time at={createdAt} />, expires <Time at={expiresAt} />
        {tweet?.visibility === 'private' && <> · for holders only</>}
      </p>
      {tweet && tweet.content !== '' && <blockquote className="owner-words">{tweet.content}</blockquote>}
      {tweet && <TweetMedias medias={tweet.medias} />}
      {trade && (
        <p>
          {summary} Worth up to <Money bnb={trade.worthBNB} />.
        </p>
      )}
      <div className="owner-choices owner-decision">
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
