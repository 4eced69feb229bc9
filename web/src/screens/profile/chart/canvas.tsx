import type { ChartInterval } from '@rookery/sdk'
import { useEffect, useRef, useState } from 'react'
import type { Bar } from './bars.js'
import type { ChartKind } from './choose.js'
import { type Drawing, draw } from './draw.js'
import { chartTimeOf, localBars } from './local-time.js'
import { MarkButtons } from './mark-buttons.js'
import { joinNear, type Mark, type MarkedPost } from './marks.js'
import { watchTheme } from './theme-colours.js'

/** The width of a mark, so that no two overlap. */
const MARK_PX = 24

/** The drawing itself, with buttons where posts are. A sentence beside it describes what it shows. */
export function ChartCanvas({
  bars,
  kind,
  interval,
  marks,
  shownPosts,
  onPoint,
  onPosts,
}: {
  bars: readonly Bar[]
  kind: ChartKind
  interval: ChartInterval
  marks: readonly Mark[]
  shownPosts: readonly MarkedPost[]
  onPoint: (time: number | undefined) => void
  onPosts: (posts: readonly MarkedPost[]) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const point = useRef(onPoint)
  point.current = onPoint
  // Counts what moves the marks: another span of time, another size.
  const [, setMoved] = useState(0)

  useEffect(() => {
    if (!box.current) return
    const drawn = draw(box.current, {
      kind,
      interval,
      point: (time) => point.current(time),
      moved: () => setMoved((moves) => moves + 1),
    })
    drawing.current = drawn
    const stop = watchTheme(drawn.paint)
    return () => {
      stop()
      drawn.remove()
      drawing.current = undefined
    }
  }, [kind, interval])
  useEffect(() => {
    drawing.current?.show(localBars(bars, interval))
  }, [bars, interval])

  const placed = joinNear(marks, (time) => drawing.current?.xOf(chartTimeOf(time, interval)) ?? null, MARK_PX)
  return (
    <div className="chart-drawing">
      <div ref={box} className="chart-canvas" aria-hidden="true" />
      <MarkButtons marks={placed} shown={shownPosts} onShow={onPosts} />
    </div>
  )
}
