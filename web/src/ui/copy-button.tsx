import { useEffect, useState } from 'react'
import { Icon } from './icon.js'

const SHOWN_MS = 2000

/** Copies a text to the clipboard and announces it. `what` completes the name of the button for screen readers. */
export function CopyButton({
  text,
  what,
  name = 'Copy',
  compact = false,
}: {
  text: string
  what: string
  name?: string
  compact?: boolean
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    setOutcome((await writeClipboard(text)) ? 'copied' : 'failed')
  }
  const word = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Select and copy it manually' : name
  return (
    <button
      type="button"
      className={compact ? 'copy copy-compact' : 'button button-quiet copy'}
      aria-label={outcome ? word : `${name} ${what}`}
      title={compact ? `${name} ${what}` : undefined}
      onClick={() => void copy()}
    >
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} />
      {!compact && word}
      <span className="visually-hidden" role="status">
        {outcome && word}
      </span>
    </button>
  )
}

/** Copies a text; false if the browser does not let it. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

// Pages without TLS from another machine have no clipboard API, but a selection can still be copied.
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  return isDone
}
