import type { ReactNode } from 'react'
import type { CursorList } from '../api/cursor-list.js'
import { describeFailure } from '../api/failure.js'
import { LoadMore } from './load-more.js'
import { ErrorState, Skeleton, type SkeletonShape } from './states.js'

/** A list in whatever state it is: on its way, failed, empty, there, growing, at its end. */
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
  /** What it lists, in the plural, for those who hear the page. */
  what: string
  empty: ReactNode
  /** How many rows stand in for it while it loads. */
  rows?: number
  shape?: SkeletonShape
  /** Whether it goes on past its first page. */
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

// What is there stays readable when the rest does not come.
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
