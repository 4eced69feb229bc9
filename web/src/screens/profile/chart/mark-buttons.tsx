import { type KeyboardEvent, useRef, useState } from 'react'
import { formatExact } from '../../../format/time.js'
import type { MarkedPost } from './marks.js'

const moves: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Posts on the chart, as buttons at their times. One of them is a stop for the Tab key; arrows move between them. */
export function MarkButtons({
  marks,
  shown,
  onShow,
}: {
  marks: readonly { readonly x: number; readonly posts: readonly MarkedPost[] }[]
  shown: readonly MarkedPost[]
  onShow: (posts: readonly MarkedPost[]) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(0)
  const at = Math.min(stop, marks.length - 1)
  function move(event: KeyboardEvent) {
    const step = moves[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(at + step, 0), marks.length - 1)
    setStop(next)
    box.current?.querySelectorAll('button')[next]?.focus()
  }
  if (marks.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div ref={box} className="chart-marks" role="group" aria-label="Posts on the chart" onKeyDown={move}>
      {marks.map(({ x, posts }, index) => {
        const [first] = posts
        if (!first) return null
        const isShown = shown.some(({ id }) => id === first.id)
        return (
          <button
            key={first.id}
            type="button"
            className="chart-mark"
            style={{ left: x }}
            tabIndex={index === at ? 0 : -1}
            aria-expanded={isShown}
            aria-label={`${posts.length === 1 ? 'A post' : `${posts.length} posts`} of ${formatExact(new Date(first.createdAt))}`}
            onClick={() => {
              setStop(index)
              onShow(isShown ? [] : posts)
            }}
          >
            <span aria-hidden="true">{posts.length === 1 ? '' : posts.length}</span>
          </button>
        )
      })}
    </div>
  )
}
