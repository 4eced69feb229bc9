import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Says something to those who hear the page. */
export function announce(text: string): void {
  message = text
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where announcements are heard. Present once, always. */
export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  )
}
