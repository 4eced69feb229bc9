import './push.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatformConfig } from '../api/platform.js'
import { useSignedIn } from '../api/session.js'
import { FormFailure } from '../ui/form-failure.js'
import { type PushState, readPush, turnOff, turnOn } from './push.js'

/** Lets this browser show what the service has to tell, also while no page of it is open. For who has signed in. */
export function PushSwitch({ about }: { about: string }) {
  const { data: config } = usePlatformConfig()
  const who = useSignedIn()
  const queries = useQueryClient()
  const [wanted, setWanted] = useState<boolean>()
  const key = ['push', who?.wallet, who?.isOwner]
  const { data: state } = useQuery({ queryKey: key, queryFn: readPush, enabled: Boolean(who), retry: false })
  const change = useMutation({
    mutationFn: (isOn: boolean): Promise<PushState> => (isOn ? turnOn(config?.push.publicKey ?? '') : turnOff()),
    onSuccess: (state) => queries.setQueryData(key, state),
    onSettled: () => setWanted(undefined),
  })
  if (!who || state === undefined) return null
  if (state === 'unsupported') return <p className="quiet push-switch">This browser cannot be notified.</p>
  const isOn = wanted ?? state === 'on'
  function choose(next: boolean): void {
    if (change.isPending) return
    setWanted(next)
    change.mutate(next)
  }
  return (
    <div className="push-switch">
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={state === 'denied'}
          onChange={(event) => choose(event.target.checked)}
        />
        <span>
          <strong>Notify this browser</strong> <span className="quiet">{about}</span>
        </span>
      </label>
      {state === 'denied' && (
        <p className="quiet" role="status">
          Notifications of this site are blocked. Allow them in the settings of your browser.
        </p>
      )}
      {change.error && <FormFailure error={change.error} />}
    </div>
  )
}
