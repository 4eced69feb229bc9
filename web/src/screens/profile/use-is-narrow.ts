import { useSyncExternalStore } from 'react'

// The same width at which the profile becomes one column.
const narrow = window.matchMedia('(max-width: 60rem)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
