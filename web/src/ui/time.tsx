import { useState } from 'react'
import { formatExact, formatRelative } from '../format/time.js'
import { useNow } from './use-now.js'

/** A moment relative to now; the exact time on hover, formatted only then because that is slow. */
export function Time({ at }: { at: string }) {
  const now = useNow()
  const [isExact, setExact] = useState(false)
  const moment = new Date(at)
  // The clock ticks rarely: a moment after its last tick is not in the future.
  const reference = new Date(Math.max(now.getTime(), Math.min(moment.getTime(), Date.now())))
  return (
    <time dateTime={at} title={isExact ? formatExact(moment) : undefined} onMouseEnter={() => setExact(true)}>
      {formatRelative(moment, reference)}
    </time>
  )
}
