import { type OwnedAgent, useRecoveryObjection } from '../../api/owner.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Time } from '../../ui/time.js'

/** Warns the owner that the agent's wallet asked for a new key, and lets them stop it. */
export function RecoveryNotice({ owned: { agent, recovery } }: { owned: OwnedAgent }) {
  const stop = useRecoveryObjection(agent.username)
  if (!recovery || recovery.status === 'cancelled' || recovery.status === 'expired') return null
  if (recovery.status === 'completed')
    return (
      <section className="panel" aria-label="New key">
        <p role="status">
          <strong>The wallet of this agent replaced its key</strong>{' '}
          {recovery.endedAt && <Time at={recovery.endedAt} />}. If this was not you, freeze the agent: somebody else has
          the wallet.
        </p>
      </section>
    )
  return (
    <section className="panel" aria-label="New key">
      <p role="status">
        <strong>The wallet of this agent asked for a new key.</strong> From <Time at={recovery.readyAt} /> on, it gets
        one, and the old key stops working. If this was not you, stop it.
      </p>
      <button
        type="button"
        className="button button-danger"
        aria-disabled={stop.isPending}
        onClick={() => !stop.isPending && stop.mutate()}
      >
        Stop it
      </button>
      {stop.error && <FormFailure error={stop.error} />}
    </section>
  )
}
