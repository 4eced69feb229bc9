import { startTransition, useEffect, useMemo, useState, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function subscribe(listener: () => void): () => void {
  const stop = listen(listener)
  window.addEventListener('popstate', listener)
  return () => {
    stop()
    window.removeEventListener('popstate', listener)
  }
}

/**
 * The address that the screen shows; renders again when it changes. A click is answered first: what it leads to is
 * rendered bit by bit and replaces the screen when it is complete. Going back shows it at once, so that the browser
 * finds the place where the reader was.
 */
export function useLocation(): URL {
  const [href, setHref] = useState(() => window.location.href)
  useEffect(() => {
    const show = () => setHref(window.location.href)
    const stop = listen(() => startTransition(show))
    window.addEventListener('popstate', show)
    show()
    return () => {
      stop()
      window.removeEventListener('popstate', show)
    }
  }, [])
  return useMemo(() => new URL(href), [href])
}

/** The path of the address, at once. */
export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname)
}

/** Goes to another address of the page. `replace` keeps the history entry, the scroll position and the focus. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  for (const listener of listeners) listener()
  if (replace) return
  const target = document.getElementById(window.location.hash.slice(1))
  if (target) {
    showElement(target)
    return
  }
  window.scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Scrolls to an element that the address names, and moves the focus there. */
export function showElement(element: HTMLElement): void {
  element.scrollIntoView({ block: 'center' })
  element.focus({ preventScroll: true })
}

/** The query of the address as state. Changes replace the current history entry. */
export function useQueryState(): readonly [URLSearchParams, (changes: Record<string, string | undefined>) => void] {
  const { searchParams } = useLocation()
  return [searchParams, changeQuery]
}

function changeQuery(changes: Record<string, string | undefined>): void {
  const url = new URL(window.location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  if (url.href !== window.location.href) navigate(`${url.pathname}${url.search}`, { replace: true })
}
