import { median } from '../output/statistics.js'

/** How a figure developed over the last two thirds of a run; the first third is for caches to fill. */
export interface Trend {
  readonly median: number
  /** What the figure grew by from the beginning to the end of that time, by its slope. */
  readonly growth: number
  readonly isFlat: boolean
}

export interface Tolerance {
  /** Part of the median that a figure may grow by. */
  readonly part: number
  /** What it may grow by in any case, because smaller changes mean nothing. */
  readonly atLeast: number
}

/** Says whether figures stay flat. A figure that falls is flat. */
export function trendOf(points: readonly (readonly [seconds: number, value: number])[], tolerance: Tolerance): Trend {
  const late = points.slice(Math.floor(points.length / 3)).filter(([, value]) => Number.isFinite(value))
  const middle = median(late.map(([, value]) => value))
  const growth = slopeOf(late) * ((late.at(-1)?.[0] ?? 0) - (late[0]?.[0] ?? 0))
  return { median: middle, growth, isFlat: growth <= Math.max(tolerance.atLeast, tolerance.part * middle) }
}

/** The median of the slopes between all pairs of points (Theil and Sen): single outliers do not move it. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const slopes: number[] = []
  for (const [index, [x, y]] of points.entries())
    for (const [otherX, otherY] of points.slice(index + 1)) if (otherX > x) slopes.push((otherY - y) / (otherX - x))
  return slopes.length === 0 ? 0 : median(slopes)
}
