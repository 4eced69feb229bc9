import './chart.css'
import type { Agent, Candle, ChartInterval } from '@rookery/sdk'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useChart } from '../../../api/market.js'
import { formatAmount } from '../../../format/bnb.js'
import { useQueryState } from '../../../router/location.js'
import { LiveMark } from '../../../ui/live-mark.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { useNow } from '../../../ui/use-now.js'
import { type Bar, barsOf, steps } from './bars.js'
import { CandleTable } from './candle-table.js'

const ChartCanvas = lazy(async () => ({ default: (await import('./canvas.js')).ChartCanvas }))

const intervals = Object.keys(steps) as ChartInterval[]

/** The share price over time: as a drawing, a sentence and a table. */
export function PriceChart({ agent }: { agent: Agent }) {
  if (agent.tradeable) return <Chart agent={agent} />
  return (
    <section className="panel price-chart" aria-labelledby="chart-title">
      <h2 id="chart-title">Share price</h2>
      <EmptyState title="No trades yet">
        <p>The chart starts when the owner buys the first share.</p>
      </EmptyState>
    </section>
  )
}

function Chart({ agent }: { agent: Agent }) {
  const [query, change] = useQueryState()
  const interval = intervals.find((name) => name === query.get('interval')) ?? '5m'
  const { data, error, isPending, refetch } = useChart(agent.username, interval)
  const candles = data?.candles ?? []
  return (
    <section className="panel price-chart" aria-labelledby="chart-title">
      <div className="panel-head">
        <h2 id="chart-title">Share price</h2>
        <LiveMark />
      </div>
      <fieldset className="intervals">
        <legend className="visually-hidden">Interval</legend>
        {intervals.map((name) => (
          <label key={name} className={name === interval ? 'interval interval-chosen' : 'interval'}>
            <input
              type="radio"
              name="interval"
              className="visually-hidden"
              checked={name === interval}
              onChange={() => change({ interval: name === '5m' ? undefined : name })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : isPending ? (
        <ChartSpace label="Loading the chart" />
      ) : candles.length === 0 ? (
        <EmptyState title="The first trade is on its way" />
      ) : (
        <Drawn key={interval} candles={candles} interval={interval} />
      )}
    </section>
  )
}

function Drawn({ candles, interval }: { candles: readonly Candle[]; interval: ChartInterval }) {
  const now = useNow()
  const [pointed, setPointed] = useState<Bar>()
  const bars = useMemo(() => barsOf(candles, interval, now), [candles, interval, now])
  const shown = pointed ?? bars.at(-1)
  return (
    <>
      <p className="chart-legend" aria-hidden="true">
        {shown && <Legend bar={shown} />}
      </p>
      <p className="visually-hidden">{summaryOf(candles)}</p>
      <Suspense fallback={<ChartSpace label="Loading the chart" />}>
        <ChartCanvas bars={bars} onPoint={setPointed} />
      </Suspense>
      <div className="chart-foot">
        <CandleTable candles={candles} interval={interval} />
        <p>
          Charts by{' '}
          <a href="https://www.tradingview.com/" rel="noopener noreferrer">
            TradingView
          </a>
        </p>
      </div>
    </>
  )
}

function ChartSpace({ label }: { label: string }) {
  return (
    <div className="chart-space" role="status">
      <span className="visually-hidden">{label}</span>
    </div>
  )
}

function Legend({ bar: { open, high, low, close, volume } }: { bar: Bar }) {
  const figures = { O: open, H: high, L: low, C: close, Vol: volume }
  return Object.entries(figures).map(([name, value]) => (
    <span key={name}>
      <span className="quiet">{name}</span> {formatAmount(value.toFixed(10))}
    </span>
  ))
}

/** The chart in a sentence, for screen readers. */
function summaryOf(candles: readonly Candle[]): string {
  const first = candles[0]
  const last = candles.at(-1)
  if (!first || !last) return ''
  const highest = candles.reduce((most, { highBNB }) => Math.max(most, Number(highBNB)), 0)
  return `From ${formatAmount(first.openBNB)} to ${formatAmount(last.closeBNB)} BNB, with a high of ${formatAmount(highest.toFixed(10))} BNB, over ${candles.length} intervals with trades.`
}
