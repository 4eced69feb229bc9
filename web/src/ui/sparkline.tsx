const WIDTH = 80
const HEIGHT = 24
const EDGE = 2

/** A small line of the last values, oldest first. It only repeats what the figures beside it say, so it is hidden from screen readers. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const first = values[0] ?? 0
  const last = values.at(-1) ?? 0
  const x = (i: number) => EDGE + (i / (values.length - 1)) * (WIDTH - 2 * EDGE)
  const y = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) / (most - least)) * (HEIGHT - 2 * EDGE)
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`)
  const way = last > first ? 'up' : last < first ? 'down' : 'flat'
  return (
    <svg className={`sparkline sparkline-${way}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
