import type { Candle, ChartInterval } from '@rookery/sdk'
import { formatAmount } from '../../../format/bnb.js'
import { Count } from '../../../ui/count.js'
import { type Column, Table } from '../../../ui/table.js'
import { Time } from '../../../ui/time.js'

const SHOWN = 50

const figures: readonly (readonly [head: string, of: (candle: Candle) => string])[] = [
  ['Open', ({ openBNB }) => openBNB],
  ['High', ({ highBNB }) => highBNB],
  ['Low', ({ lowBNB }) => lowBNB],
  ['Close', ({ closeBNB }) => closeBNB],
  ['Volume', ({ volumeBNB }) => volumeBNB],
]
const columns: readonly Column<Candle>[] = [
  { head: 'Start', isTitle: true, cell: ({ startAt }) => <Time at={startAt} /> },
  ...figures.map(
    ([head, of]): Column<Candle> => ({
      head,
      kind: 'figure',
      cell: (candle) => <span title={`${of(candle)} BNB`}>{formatAmount(of(candle))}</span>,
    }),
  ),
  { head: 'Trades', kind: 'figure', cell: ({ trades }) => <Count of={trades} /> },
]

/** The newest candles as a table. */
export function CandleTable({ candles, interval }: { candles: readonly Candle[]; interval: ChartInterval }) {
  return (
    <details className="candles">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="candles-scroll" aria-label="Prices in figures" tabIndex={0}>
        <Table
          caption={`Intervals of ${interval} with trades, newest first, in BNB`}
          columns={columns}
          rows={candles.slice(-SHOWN).reverse()}
          keyOf={({ startAt }) => startAt}
        />
      </section>
    </details>
  )
}
