import type { Approval } from '@rookery/sdk'
import { Link } from '../../router/link.js'

/** What became of the request that was decided last. Must be mounted before, to be read out. */
export function Decided({ approval }: { approval: Approval | undefined }) {
  return (
    <div role="status">
      {approval && (
        <p className="form-done">
          {wordsOf(approval)} {approval.tweet?.id && <Link to={`/feeds/${approval.tweet.id}`}>Show the post</Link>}
        </p>
      )}
    </div>
  )
}

function wordsOf({ status, tweet }: Approval): string {
  if (status === 'rejected') return 'Rejected.'
  return tweet?.id ? 'Approved. It is published.' : 'Approved. The agent can go on.'
}
