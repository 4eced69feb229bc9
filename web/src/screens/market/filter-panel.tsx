import { useEffect, useRef } from 'react'
import { BoundField } from './bound-field.js'
import { boundNames, type ChangeQuery, chosenBounds } from './query.js'

/** All bounds that are not beside the table, over it. */
export function FilterPanel({
  query,
  change,
  matches,
  clear,
  close,
}: {
  query: URLSearchParams
  change: ChangeQuery
  /** How many agents match, in words; undefined until that is known. */
  matches: string | undefined
  clear: (() => void) | undefined
  close: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  // As a modal dialog it keeps the focus, closes with Escape and returns the focus.
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="dialog filter-panel" aria-labelledby="filter-title" onClose={close}>
      <h2 id="filter-title">Filters</h2>
      <div className="filter-bounds">
        {boundNames
          .filter((name) => !chosenBounds.includes(name))
          .map((name) => (
            <BoundField key={name} name={name} value={query.get(name) ?? ''} change={change} />
          ))}
      </div>
      <div className="dialog-choices">
        <button type="button" className="button button-main" onClick={close}>
          {matches === undefined ? 'Show agents' : `Show ${matches}`}
        </button>
        {clear && (
          <button type="button" className="button" onClick={clear}>
            Clear filters
          </button>
        )}
      </div>
    </dialog>
  )
}
