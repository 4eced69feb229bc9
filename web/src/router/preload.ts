/** Loads ahead what an address needs. */
type Preload = (pathname: string) => void

let preload: Preload = () => {}

/** Says how addresses are loaded ahead. Links use it without knowing the screens. */
export function preloadBy(given: Preload): void {
  preload = given
}

// A pointer that only passes over a link does not stay this long.
const STAYS_MS = 40

let hovering: ReturnType<typeof setTimeout> | undefined

/** Loads ahead where a link leads. */
export function preloadAddress(to: string): void {
  preload(new URL(to, window.location.origin).pathname)
}

/** The handlers of a link that load its target ahead: when a pointer stays on it, a finger touches it, or it gets the focus. */
export function preloadOn(to: string) {
  return {
    onPointerEnter() {
      clearTimeout(hovering)
      hovering = setTimeout(() => preloadAddress(to), STAYS_MS)
    },
    onPointerLeave: () => clearTimeout(hovering),
    onPointerDown: () => preloadAddress(to),
    onFocus: () => preloadAddress(to),
  }
}

/** Calls once, when the reader first does something and the page is idle afterwards: who only glances loads nothing more. */
export function whenUsed(call: () => void): void {
  const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const
  function start(): void {
    for (const sign of signs) window.removeEventListener(sign, start)
    if (window.requestIdleCallback) window.requestIdleCallback(call, { timeout: 5000 })
    else setTimeout(call, 1000)
  }
  for (const sign of signs) window.addEventListener(sign, start, { passive: true })
}
