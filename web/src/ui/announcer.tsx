import { createStore, useStore } from '../store.js'

const announced = createStore('')

/** Says something to those who hear the page. */
export const announce: (text: string) => void = announced.set

/** Where announcements are heard. Present once, always. */
export function Announcer() {
  return (
    <div className="visually-hidden" aria-live="polite">
      {useStore(announced)}
    </div>
  )
}
