import { createStore, useStore } from '../store.js'

const announced = createStore('')

/** Announces a text to screen readers. */
export const announce: (text: string) => void = announced.set

/** The live region for announcements. Must be mounted once, always. */
export function Announcer() {
  return (
    <div className="visually-hidden" aria-live="polite">
      {useStore(announced)}
    </div>
  )
}
