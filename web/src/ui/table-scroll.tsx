import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'

/** Lets a table that is wider than the screen scroll sideways, and says so. */
export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null)
  const [isWider, setWider] = useState(false)
  const [isAtEnd, setAtEnd] = useState(false)

  const look = useCallback(() => {
    const element = area.current
    if (!element) return
    setWider(element.scrollWidth > element.clientWidth + 1)
    setAtEnd(element.scrollLeft + element.clientWidth >= element.scrollWidth - 1)
  }, [])

  useEffect(() => {
    const element = area.current
    if (!element) return
    const observer = new ResizeObserver(look)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [look])

  return (
    <div className={isWider && !isAtEnd ? 'table-frame table-frame-more' : 'table-frame'}>
      {isWider && (
        <p className="table-hint" aria-hidden="true">
          Scroll sideways for more
        </p>
      )}
      <div
        ref={area}
        className="table-scroll"
        onScroll={look}
        // The keyboard scrolls it only with the focus on it.
        {...(isWider && { tabIndex: 0, role: 'region', 'aria-label': `${label}; scrolls sideways` })}
      >
        {children}
      </div>
    </div>
  )
}
