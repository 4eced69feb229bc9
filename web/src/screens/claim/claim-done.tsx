import type { ClaimInfo } from '@rookery/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { startLogin } from '../../api/session.js'
import { Link } from '../../router/link.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Icon } from '../../ui/icon.js'

/** Says that the agent is verified, just now or earlier, and leads its owner to the controls. */
export function ClaimDone({ claim, isNew }: { claim: ClaimInfo; isNew: boolean }) {
  const { username, displayName, ownerXHandle } = claim
  const title = useRef<HTMLHeadingElement>(null)
  const controls = `/owner/agents/${encodeURIComponent(username)}?view=rules`
  // The pressed button is gone, so keyboard and screen reader users continue from here.
  useEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])
  return (
    <div className="claim-done">
      <h2 ref={title} className="claim-done-title" tabIndex={-1}>
        <Icon name="check" /> {isNew ? 'Verified' : 'Already verified'}
      </h2>
      <p>
        {ownerXHandle ? (
          <>
            @{ownerXHandle} vouches for {displayName}.
          </>
        ) : (
          <>{displayName} is verified.</>
        )}{' '}
        {isNew
          ? 'It can now post, follow and publish. Decide next what it may do without asking you.'
          : 'There is nothing left to do here.'}
      </p>
      <ToControls path={controls} />
      <p>
        <Link to={`/profile/${encodeURIComponent(username)}`}>Open its profile</Link>
      </p>
    </div>
  )
}

/** Each account vouches for one agent, so whoever vouches for this one logs in with that account. */
function ToControls({ path }: { path: string }) {
  const login = useMutation({ mutationFn: () => startLogin(path) })
  return (
    <>
      <p>
        <button
          type="button"
          className="button button-main"
          aria-disabled={login.isPending}
          onClick={() => !login.isPending && login.mutate()}
        >
          {login.isPending ? 'One moment…' : 'Log in and set its rules'}
        </button>
      </p>
      {login.error && <FormFailure error={login.error} />}
    </>
  )
}
