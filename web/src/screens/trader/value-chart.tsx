import type { PortfolioPoint, PortfolioRange } from '@rookery/sdk'
import { type PointerEvent, useState } from 'react'
import { formatAmount } from '../../format/bnb.js'
import { useQueryState } from '../../router/location.js'
import { LiveMark } from '../../ui/live-mark.js'
import { ErrorState } from '../../ui/states.js'
import { Switch } from '../../ui/switch.js'
import { chartShape, HEIGHT, type Shape, WIDTH } from './chart-shape.js'
import { formatMoment } from './format-moment.js'
import { usePortfolioHistory, type WalletAddress } from './use-portfolio.js'
import { ValueTable } from './value-table.js'

const ranges: readonly (readonly [PortfolioRange, string])[] = [
  ['24h', '24 h'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['all', 'All'],
]

/** The value of a wallet’s shares over time, and what they had cost: as a drawing, a sentence and a table. */
export function ValueChart({ address }: { address: WalletAddress }) {
  const [query, change] = useQueryState()
  const range = ranges.find(([name]) => name === query.get('range'))?.[0] ?? 'all'
  const { data, error, refetch } = usePortfolioHistory(address, range)
  // A wallet that never had a share has nothing to draw.
  if (data?.points.length === 0) return null
  return (
    <section className="panel value-chart" aria-labelledby="value-title">
      <div className="panel-head">
        <h2 id="value-title">Value over time</h2>
        <LiveMark />
      </div>
      <Switch
        name="range"
        legend="Range"
        options={ranges}
        chosen={range}
        onChoose={(name) => change({ range: name === 'all' ? undefined : name })}
      />
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data ? (
        <Drawn points={data.points} />
      ) : (
        <div className="value-space" role="status">
          <span className="visually-hidden">Loading the chart</span>
        </div>
      )}
    </section>
  )
}

function Drawn({ points }: { points: readonly PortfolioPoint[] }) {
  const [pointed, setPointed] = useState<number>()
  const shape = chartShape(points)
  const [first, last] = [points[0], points.at(-1)]
  const shown = (pointed === undefined ? undefined : points[pointed]) ?? last
  if (!first || !last || !shown) return null
  const spanMs = Date.parse(last.at) - Date.parse(first.at)
  function point({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(nearest(shape, ((clientX - left) / width) * WIDTH))
  }
  return (
    <>
      <p className="value-legend" aria-hidden="true">
        <span className="value-legend-value">
          Value <b>{formatAmount(shown.valueBNB)}</b>
        </span>
        <span className="value-legend-paid">
          Paid <b>{formatAmount(shown.investedBNB)}</b>
        </span>
        <span className="quiet">{shown === last ? 'now' : formatMoment(shown.at, spanMs)}</span>
      </p>
      <p className="visually-hidden">
        {`From ${formatAmount(first.valueBNB)} to ${formatAmount(last.valueBNB)} BNB, between ${formatAmount(shape.least)} and ${formatAmount(shape.most)} BNB.`}
      </p>
      <div
        className="value-drawing"
        aria-hidden="true"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="value-area" d={shape.area} />
          <path className="value-paid" d={shape.paid} />
          <path className="value-line" d={shape.line} />
          {pointed !== undefined && <path className="value-pointer" d={`M${shape.xs[pointed]} 0V${HEIGHT}`} />}
        </svg>
        <span className="value-top">{formatAmount(shape.top)}</span>
        <span className="value-bottom">{formatAmount(shape.bottom)}</span>
      </div>
      <p className="value-times" aria-hidden="true">
        <span>{formatMoment(first.at, spanMs)}</span>
        <span>now</span>
      </p>
      <ValueTable points={points} spanMs={spanMs} />
    </>
  )
}

function nearest({ xs }: Shape, x: number): number {
  return xs.reduce((best, at, i) => (Math.abs(at - x) < Math.abs((xs[best] ?? 0) - x) ? i : best), 0)
}
