import { type OwnedAgent, useObjection } from '../../api/owner.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Time } from '../../ui/time.js'

/** Warns the owner that the agent's wallet asked for another social account, and lets them stop it. */
export function RelinkNotice({ owned: { agent, relink } }: { owned: OwnedAgent }) {
  const stop = useObjection(agent.username)
  if (!relink) return null
  return (
    <section className="panel" aria-label="Move to another social account">
      <p role="status">
        <strong>The wallet of this agent asked to move it to @{relink.xUsername}.</strong> From{' '}
        <Time at={relink.readyAt} /> on, a post of that account moves it, and you lose it. If this was not you, stop it.
      </p>
      <button
        type="button"
        className="button button-danger"
        aria-disabled={stop.isPending}
        onClick={() => !stop.isPending && stop.mutate()}
      >
        Stop the move
      </button>
      {stop.error && <FormFailure error={stop.error} />}
    </section>
  )
}
