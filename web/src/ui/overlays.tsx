import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { useLocation } from '../router/location.js'
import { useStore } from '../store.js'
import { hovered, watchHover } from './hover.js'
import { overlay } from './overlay.js'
import { isTyping } from './use-step-keys.js'

// Nobody needs them for the first paint, so their code is loaded on demand.
const Shown = lazy(async () => ({ default: (await import('../overlays/shown.js')).Shown }))
const HoverCard = lazy(async () => ({ default: (await import('../overlays/hover-card.js')).HoverCard }))

/** Everything that lies over the screens, and the keys that open it. Must be mounted once, always. */
export function Overlays() {
  const shown = useStore(overlay)
  const anchor = useStore(hovered)
  const { href } = useLocation()
  useEffect(() => {
    window.addEventListener('keydown', openByKey)
    const stop = watchHover()
    return () => {
      window.removeEventListener('keydown', openByKey)
      stop()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what lies over a screen goes with it.
  useLayoutEffect(() => {
    overlay.set(undefined)
    hovered.set(undefined)
  }, [href])
  return (
    <Suspense>
      {shown && <Shown overlay={shown} />}
      {anchor && <HoverCard key={anchor.href} anchor={anchor} />}
    </Suspense>
  )
}

function openByKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    overlay.set(overlay.get()?.kind === 'palette' ? undefined : { kind: 'palette' })
  } else if (key === '?' && !isTyping(target)) overlay.set({ kind: 'keys' })
}
