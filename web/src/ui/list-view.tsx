import type { ReactNode } from 'react'
import type { CursorList } from '../api/cursor-list.js'
import { describeFailure } from '../api/failure.js'
import { LoadMore } from './load-more.js'
import { ErrorState, Skeleton, type SkeletonShape } from './states.js'

/** A list in every state: loading, failed, empty, loaded, growing, complete. */
export function ListView<Item>({
  list,
  what,
  empty,
  rows = 6,
  shape = 'row',
  endless = true,
  children,
}: {
  list: CursorList<Item>
  /** The items' name in the plural, for screen readers. */
  what: string
  empty: ReactNode
  /** How many placeholder rows to show while loading. */
  rows?: number
  shape?: SkeletonShape
  /** Whether to load more than the first page. */
  endless?: boolean
  children: (items: readonly Item[]) => ReactNode
}) {
  const { items, isPending, isOutdated, error, retry } = list
  if (isPending) return <Skeleton rows={rows} shape={shape} label={`Loading ${what}`} />
  if (error && items.length === 0) return <ErrorState error={error} retry={retry} />
  if (items.length === 0) return empty
  return (
    <div className={isOutdated ? 'list list-outdated' : 'list'} aria-busy={isOutdated}>
      {children(items)}
      {error ? <LateFailure error={error} retry={retry} /> : endless && <LoadMore list={list} what={what} />}
    </div>
  )
}

// Loaded items stay readable when loading more fails.
function LateFailure({ error, retry }: { error: Error; retry: () => void }) {
  const { title, message } = describeFailure(error)
  return (
    <div className="late-failure" role="alert">
      <p>
        <strong>{title}.</strong> {message}
      </p>
      <button type="button" className="button button-quiet" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
