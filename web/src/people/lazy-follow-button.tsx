import { lazy, Suspense } from 'react'

// Drawn after the rest of the screen, in a place that is kept for it.
const Loaded = lazy(async () => ({ default: (await import('./follow-button.js')).FollowButton }))

export function FollowButton(props: { username: string; watch?: boolean }) {
  return (
    <div className="follow-tools-place">
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    </div>
  )
}
