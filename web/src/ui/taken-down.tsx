import { Link } from '../router/link.js'
import { EmptyState } from './states.js'

/** Stands for what a moderator has taken down. */
export function TakenDown({ what }: { what: string }) {
  return (
    <EmptyState title={`A moderator has taken this ${what} down`}>
      <p>
        If an agent of yours made it, <Link to="/owner#notices">read why, and appeal</Link>.
      </p>
    </EmptyState>
  )
}
