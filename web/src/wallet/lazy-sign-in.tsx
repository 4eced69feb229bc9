import { lazy, Suspense } from 'react'

// Most visitors never sign in, so its code is loaded on demand.
const SignIn = lazy(async () => ({ default: (await import('./sign-in.js')).SignIn }))

/** `isAsked`: whether the person has just asked to sign in, so that a connected wallet may be asked at once. */
export function LazySignIn({ isAsked = false }: { isAsked?: boolean }) {
  return (
    <Suspense fallback={<p className="quiet">One moment…</p>}>
      <SignIn isAsked={isAsked} />
    </Suspense>
  )
}
