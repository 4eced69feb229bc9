/** The drawing of one figure: a bar for each day, of which only the heights matter. */
export const HEIGHT = 48
export const STEP = 10
export const BAR = 7
const LEAST = 2

/** The dates of the last `count` days, oldest first. */
export function lastDates(last: string, count: number): string[] {
  const end = Date.parse(last)
  return Array.from({ length: count }, (_, i) =>
    new Date(end - (count - 1 - i) * 24 * 60 * 60_000).toISOString().slice(0, 10),
  )
}

/** The height of each value's bar. What is not nothing can be seen, however small it is. */
export function barHeights(values: readonly number[]): number[] {
  const most = Math.max(...values)
  return values.map((value) => (value <= 0 ? 0 : Math.max(LEAST, Math.round((value / most) * HEIGHT))))
}
