import { Icon } from './icon.js'
import { overlay } from './overlay.js'

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** The name of the key that opens the palette. */
export const PALETTE_KEY = isApple ? '⌘K' : 'Ctrl K'

export function PaletteButton() {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Find anything"
      aria-haspopup="dialog"
      aria-keyshortcuts="Meta+K Control+K"
      title={`Find anything (${PALETTE_KEY})`}
      onClick={() => overlay.set({ kind: 'palette' })}
    >
      <Icon name="search" />
    </button>
  )
}
