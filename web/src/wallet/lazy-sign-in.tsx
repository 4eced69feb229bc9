import { lazy, Suspense } from 'react'

// Most visitors never sign in, so its code is loaded on demand.
const SignIn = lazy(async () => ({ default: (await import('./sign-in.js')).SignIn }))

export function LazySignIn() {
  return (
    <Suspense fallback={<p className="quiet">One moment…</p>}>
      <SignIn />
    </Suspense>
  )
}
