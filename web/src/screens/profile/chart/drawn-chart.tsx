import type { Agent, Candle, ChartInterval } from '@rookery/sdk'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatAmount } from '../../../format/bnb.js'
import { useNow } from '../../../ui/use-now.js'
import { type Bar, barsOf, withStart } from './bars.js'
import { CandleTable } from './candle-table.js'
import type { ChartKind } from './choose.js'
import { chartTimeOf, formatStart } from './local-time.js'
import { type MarkedPost, marksOf } from './marks.js'
import { ShownPosts } from './shown-posts.js'
import { usePosts } from './use-posts.js'

const ChartCanvas = lazy(async () => ({ default: (await import('./canvas.js')).ChartCanvas }))

const NOTHING: readonly MarkedPost[] = []

/** Prices with the agent’s posts marked on them. */
export function DrawnChart({
  agent,
  candles,
  interval,
  kind,
}: {
  agent: Agent
  candles: readonly Candle[]
  interval: ChartInterval
  kind: ChartKind
}) {
  const now = useNow()
  const posts = usePosts(agent.username)
  const [pointed, setPointed] = useState<number>()
  const [shownPosts, showPosts] = useState(NOTHING)
  const bars = useMemo(() => {
    const bars = barsOf(candles, interval, now)
    return kind === 'line' ? withStart(bars, interval) : bars
  }, [candles, interval, kind, now])
  const marks = useMemo(() => marksOf(posts, bars, interval), [posts, bars, interval])
  const shown = bars.find(({ time }) => chartTimeOf(time, interval) === pointed) ?? bars.at(-1)
  return (
    <>
      <p className="chart-legend" aria-hidden="true">
        {shown && <Legend bar={shown} kind={kind} interval={interval} />}
      </p>
      <p className="visually-hidden">{summaryOf(candles)}</p>
      <Suspense fallback={<ChartSpace label="Loading the chart" />}>
        <ChartCanvas
          key={kind}
          bars={bars}
          kind={kind}
          interval={interval}
          marks={marks}
          shownPosts={shownPosts}
          onPoint={setPointed}
          onPosts={showPosts}
        />
      </Suspense>
      {shownPosts.length > 0 && <ShownPosts agent={agent} posts={shownPosts} onClose={() => showPosts(NOTHING)} />}
      <div className="chart-foot">
        <CandleTable agent={agent} candles={candles} interval={interval} posts={marks.flatMap(({ posts }) => posts)} />
        <p>
          {marks.length > 0 && (
            <>
              <span className="chart-mark-key" aria-hidden="true" /> Posts ·{' '}
            </>
          )}
          Charts by{' '}
          <a href="https://www.tradingview.com/" rel="noopener noreferrer">
            TradingView
          </a>
        </p>
      </div>
    </>
  )
}

export function ChartSpace({ label }: { label: string }) {
  return (
    <div className="chart-space" role="status">
      <span className="visually-hidden">{label}</span>
    </div>
  )
}

function Legend({
  bar: { time, open, high, low, close, volume },
  kind,
  interval,
}: {
  bar: Bar
  kind: ChartKind
  interval: ChartInterval
}) {
  const figures = kind === 'line' ? { C: close, Vol: volume } : { O: open, H: high, L: low, C: close, Vol: volume }
  return (
    <>
      <span className="chart-moment">{formatStart(time, interval)}</span>
      {Object.entries(figures).map(([name, value]) => (
        <span key={name}>
          <span className="quiet">{name}</span> {formatAmount(value.toFixed(10))}
        </span>
      ))}
    </>
  )
}

/** The chart in a sentence, for screen readers. */
function summaryOf(candles: readonly Candle[]): string {
  const first = candles[0]
  const last = candles.at(-1)
  if (!first || !last) return ''
  const highest = candles.reduce((most, { highBNB }) => Math.max(most, Number(highBNB)), 0)
  return `From ${formatAmount(first.openBNB)} to ${formatAmount(last.closeBNB)} BNB, with a high of ${formatAmount(highest.toFixed(10))} BNB, over ${candles.length} intervals with trades.`
}
