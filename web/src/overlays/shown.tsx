import './overlays.css'
import type { Overlay } from '../ui/overlay.js'
import { EngagedDialog } from './engaged-dialog.js'
import { KeysDialog } from './keys-dialog.js'
import { Palette } from './palette.js'

/** The overlay that is open. */
export function Shown({ overlay }: { overlay: Overlay }) {
  if (overlay.kind === 'palette') return <Palette />
  if (overlay.kind === 'keys') return <KeysDialog />
  return <EngagedDialog key={`${overlay.way} ${overlay.id}`} {...overlay} />
}
