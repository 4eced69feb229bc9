import { useEffect, useRef } from 'react'
import type { CursorList } from '../api/cursor-list.js'

const AHEAD = '600px'

/** The end of a list: loads the next page when it scrolls into view or is pressed. */
export function LoadMore<Item>({ list, what }: { list: CursorList<Item>; what: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const { items, hasMore, isLoadingMore, isOutdated, loadMore } = list
  const isWaiting = hasMore && !isLoadingMore && !isOutdated
  const latest = useRef(loadMore)
  latest.current = loadMore

  useEffect(() => {
    if (!button.current || !isWaiting) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isWaiting])

  if (!hasMore) return items.length > 10 ? <p className="list-end">No more {what}.</p> : null
  return (
    <button ref={button} type="button" className="button button-quiet load-more" onClick={loadMore}>
      {isLoadingMore ? 'Loading…' : `More ${what}`}
    </button>
  )
}
