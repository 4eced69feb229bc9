import { type RefObject, useEffect, useRef } from 'react'

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** Lets j and k move through the elements that match the selector, unless the reader is typing. */
export function useStepKeys<Box extends HTMLElement>(selector: string): RefObject<Box | null> {
  const box = useRef<Box>(null)
  useEffect(() => {
    function step(event: KeyboardEvent): void {
      const direction = steps[event.key]
      if (direction === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const stops = [...(box.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
      const at = stops.findIndex((stop) => stop.matches(':focus'))
      const next = at < 0 ? firstBelow(stops) : stops[at + direction]
      next?.focus()
      next?.closest('article')?.scrollIntoView({ block: 'nearest' })
    }
    window.addEventListener('keydown', step)
    return () => window.removeEventListener('keydown', step)
  }, [selector])
  return box
}

/** Whether keys belong to a field or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]') !== null
}

// After scrolling, start with the first visible element.
function firstBelow(stops: readonly HTMLElement[]): HTMLElement | undefined {
  return stops.find((stop) => stop.getBoundingClientRect().top > 64)
}
