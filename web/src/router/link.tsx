import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from './location.js'
import { preloadOn } from './preload.js'

/** A link within the page, whose target is loaded ahead. Leaves clicks for a new tab or a download to the browser. */
export function Link({ to, onClick, ...rest }: { to: string } & Omit<ComponentProps<'a'>, 'href'>) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !isPlain || rest.target) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...preloadOn(to)} {...rest} href={to} onClick={follow} />
}
