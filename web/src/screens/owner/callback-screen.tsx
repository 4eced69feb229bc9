import './owner.css'
import { useEffect, useState } from 'react'
import { completeLogin } from '../../api/session.js'
import { Link } from '../../router/link.js'
import { navigate, useLocation } from '../../router/location.js'
import { Screen } from '../../ui/screen.js'
import { ErrorState, Skeleton } from '../../ui/states.js'

// A code works once, and React may run the effect twice.
const completing = new Map<string, Promise<string | null>>()

/** The social network redirects here: completes the login and returns to where it started. */
export function CallbackScreen() {
  const { searchParams } = useLocation()
  const [error, setError] = useState<Error>()
  const query = searchParams.toString()
  useEffect(() => {
    const given = new URLSearchParams(query)
    const [state, code, refused] = ['state', 'code', 'error'].map((name) => given.get(name) ?? undefined)
    const login =
      completing.get(query) ??
      completeLogin({
        state: state ?? '',
        ...(code !== undefined && { code }),
        ...(refused !== undefined && { error: refused }),
      })
    completing.set(query, login)
    let isShown = true
    login.then(
      (returnUrl) => isShown && navigate(pathOf(returnUrl), { replace: true }),
      (failure: Error) => isShown && setError(failure),
    )
    return () => {
      isShown = false
    }
  }, [query])
  return (
    <Screen title="Login" className="narrow owner">
      <h1>Login</h1>
      {error ? (
        <>
          <ErrorState error={error} />
          <p>
            <Link to="/owner">Start again</Link>
          </p>
        </>
      ) : (
        <Skeleton rows={3} label="Completing the login" />
      )}
    </Screen>
  )
}

function pathOf(returnUrl: string | null): string {
  if (returnUrl === null) return '/owner'
  const { origin, pathname, search } = new URL(returnUrl)
  return origin === window.location.origin ? `${pathname}${search}` : '/owner'
}
