import { createStore } from '../store.js'

/** The link to an agent whose card is shown. */
export const hovered = createStore<HTMLAnchorElement | undefined>(undefined)

const OPEN_MS = 450
// Time to move the pointer from the link to its card.
const CLOSE_MS = 250
const CARD = '.hover-card'

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows an agent's card while the pointer rests on a link to it, or the keyboard's focus is there. Returns how to stop. */
export function watchHover(): () => void {
  const handlers = {
    pointerover: ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'mouse') moveTo(target)
    },
    focusin: ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) moveTo(target)
    },
    focusout: () => moveTo(null),
    pointerdown: hide,
    // The card keeps its place on the screen while its link moves away. Moving the focus scrolls too, before there is one.
    scroll: () => {
      if (hovered.get()) hide()
    },
    keydown: ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide()
    },
  }
  const entries = Object.entries(handlers) as [string, (event: Event) => void][]
  for (const [name, handler] of entries) document.addEventListener(name, handler)
  return () => {
    hide()
    for (const [name, handler] of entries) document.removeEventListener(name, handler)
  }
}

function moveTo(target: EventTarget | null): void {
  const element = target instanceof Element ? target : undefined
  const link = element?.closest<HTMLAnchorElement>('a[href^="/profile/"]:not([href*="#"])') ?? undefined
  const isStaying = element?.closest(CARD) != null || (link !== undefined && link === hovered.get())
  clearTimeout(timer)
  if (isStaying) return
  if (link && link.pathname !== window.location.pathname) timer = setTimeout(() => hovered.set(link), OPEN_MS)
  else if (hovered.get()) timer = setTimeout(hide, CLOSE_MS)
}

function hide(): void {
  clearTimeout(timer)
  if (hovered.get()) hovered.set(undefined)
}
