import { lazy, Suspense } from 'react'
import { useSignedIn } from '../api/session.js'

const Bell = lazy(async () => ({ default: (await import('./bell.js')).Bell }))

/** The bell of who has signed in with a wallet; nothing for others. */
export function LazyBell() {
  if (!useSignedIn()?.wallet) return null
  return (
    <Suspense fallback={<span className="icon-button" />}>
      <Bell />
    </Suspense>
  )
}
