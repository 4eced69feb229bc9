import type { Target } from '../api/moderation.js'
import { createStore } from '../store.js'
import { Icon } from './icon.js'

/** What is being reported, and how the dialog calls it. */
export interface Reported extends Target {
  readonly name: string
}

// Outside the screens: signing in draws a screen anew, and the dialog stays open.
export const reported = createStore<Reported | undefined>(undefined)

export function ReportButton({ target, compact = false }: { target: Reported; compact?: boolean }) {
  if (compact)
    return (
      <button
        type="button"
        className="copy-compact report-compact"
        aria-label={`Report ${target.name}…`}
        title="Report…"
        onClick={() => reported.set(target)}
      >
        <Icon name="flag" />
      </button>
    )
  return (
    <button
      type="button"
      className="report-button"
      aria-label={`Report ${target.name}…`}
      onClick={() => reported.set(target)}
    >
      <Icon name="flag" /> Report…
    </button>
  )
}
