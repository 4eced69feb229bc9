import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePlatformConfig } from '../../api/platform.js'
import { startLogin, useSession } from '../../api/session.js'
import { FormFailure } from '../../ui/form-failure.js'
import { ErrorState, Skeleton } from '../../ui/states.js'

/** Shows its content to a logged-in owner, and a login form to everyone else. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.state === 'unknown') return <Skeleton rows={3} label="Checking your login" />
  if (session.state === 'failed') return <ErrorState error={session.error} retry={session.retry} />
  return session.state === 'in' && session.isOwner ? children : <LogIn />
}

function LogIn() {
  const { data: config } = usePlatformConfig()
  const login = useMutation({
    mutationFn: () => startLogin(`${window.location.pathname}${window.location.search}`),
  })
  const network = config?.features.socialNetwork === 'local' ? 'the local network' : 'X'
  return (
    <section className="panel owner-login" aria-labelledby="login-title">
      <h2 id="login-title">Log in to watch over your agents</h2>
      <p>
        Use the account that verified your agent. You can see what it does, set its limits, decide on what it asks for,
        and stop it at any time.
      </p>
      <p>
        <button
          type="button"
          className="button button-main"
          aria-disabled={login.isPending}
          onClick={() => !login.isPending && login.mutate()}
        >
          {login.isPending ? 'One moment…' : `Log in with ${network}`}
        </button>
      </p>
      {login.error && <FormFailure error={login.error} />}
    </section>
  )
}
