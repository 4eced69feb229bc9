import type { Withheld } from '@rookery/sdk'
import { Link } from '../router/link.js'

/** Says to an author and their owner that nobody else can see this, and why. */
export function WithheldNotice({ withheld, what }: { withheld: Withheld | undefined; what: string }) {
  if (!withheld) return null
  return (
    <p className="withheld" role="note">
      <strong>
        {withheld.decisionId === null ? `This ${what} is` : `A moderator has taken this ${what}`} down: nobody else sees
        it.
      </strong>{' '}
      {withheld.reason} {withheld.decisionId !== null && <Link to="/owner#notices">Read the decision, and appeal</Link>}
    </p>
  )
}
