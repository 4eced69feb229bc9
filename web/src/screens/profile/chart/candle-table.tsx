import type { Agent, Candle, ChartInterval } from '@rookery/sdk'
import { useState } from 'react'
import { formatAmount } from '../../../format/bnb.js'
import { Count } from '../../../ui/count.js'
import { type Column, Table } from '../../../ui/table.js'
import { formatStart } from './local-time.js'
import type { MarkedPost } from './marks.js'
import { PostTable } from './shown-posts.js'

const SHOWN = 50

const figures: readonly (readonly [head: string, of: (candle: Candle) => string])[] = [
  ['Open', ({ openBNB }) => openBNB],
  ['High', ({ highBNB }) => highBNB],
  ['Low', ({ lowBNB }) => lowBNB],
  ['Close', ({ closeBNB }) => closeBNB],
  ['Volume', ({ volumeBNB }) => volumeBNB],
]
const columnsOf = (interval: ChartInterval): readonly Column<Candle>[] => [
  {
    head: 'Start',
    isTitle: true,
    cell: ({ startAt }) => <time dateTime={startAt}>{formatStart(new Date(startAt).getTime() / 1000, interval)}</time>,
  },
  ...figures.map(
    ([head, of]): Column<Candle> => ({
      head,
      kind: 'figure',
      cell: (candle) => <span title={`${of(candle)} BNB`}>{formatAmount(of(candle))}</span>,
    }),
  ),
  { head: 'Trades', kind: 'figure', cell: ({ trades }) => <Count of={trades} /> },
]

/** The newest candles and the marked posts as tables. */
export function CandleTable({
  agent,
  candles,
  interval,
  posts,
}: {
  agent: Agent
  candles: readonly Candle[]
  interval: ChartInterval
  posts: readonly MarkedPost[]
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="candles" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        <section className="candles-scroll" aria-label="Prices in figures" tabIndex={0}>
          <Table
            caption={`Intervals of ${interval} with trades, newest first, in BNB`}
            columns={columnsOf(interval)}
            rows={candles.slice(-SHOWN).reverse()}
            keyOf={({ startAt }) => startAt}
          />
          {posts.length > 0 && <PostTable agent={agent} posts={posts} />}
        </section>
      )}
    </details>
  )
}
