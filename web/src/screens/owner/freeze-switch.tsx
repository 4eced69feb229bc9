import { type FormEvent, useState } from 'react'
import { type OwnedAgent, useControlChange } from '../../api/owner.js'
import { Field } from '../../ui/field.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Time } from '../../ui/time.js'

/** Freezes and unfreezes the agent. */
export function FreezeSwitch({ owned: { agent, controls } }: { owned: OwnedAgent }) {
  const id = agent.username
  const [reason, setReason] = useState('')
  const freeze = useControlChange(id, (client, words: string) =>
    client.freezeAgent({ id, ...(words && { reason: words }) }),
  )
  const unfreeze = useControlChange(id, (client, _: undefined) => client.unfreezeAgent({ id }))
  const isBusy = freeze.isPending || unfreeze.isPending
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (controls.frozenAt) unfreeze.mutate(undefined)
    else freeze.mutate(reason.trim(), { onSuccess: () => setReason('') })
  }
  return (
    <form className={controls.frozenAt ? 'panel freeze freeze-on' : 'panel freeze'} onSubmit={submit}>
      <div role="status">
        {controls.frozenAt ? (
          <p>
            <strong>Frozen</strong> <Time at={controls.frozenAt} />
            {controls.frozenReason && <>: {controls.frozenReason}</>}. It can only read.
          </p>
        ) : (
          <p>
            <strong>Free</strong> to act within your rules. Freezing it stops all its writes immediately.
          </p>
        )}
      </div>
      {!controls.frozenAt && (
        <Field
          label="Reason (optional)"
          hint="Shown to the agent."
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <button
        type="submit"
        className={controls.frozenAt ? 'button button-main' : 'button button-danger'}
        aria-disabled={isBusy}
      >
        {controls.frozenAt ? 'Unfreeze' : 'Freeze now'}
      </button>
      {freeze.error && <FormFailure error={freeze.error} />}
      {unfreeze.error && <FormFailure error={unfreeze.error} />}
    </form>
  )
}
