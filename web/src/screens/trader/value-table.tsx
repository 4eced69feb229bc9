import type { PortfolioPoint } from '@rookery/sdk'
import { formatAmount } from '../../format/bnb.js'
import { type Column, Table } from '../../ui/table.js'
import { formatMoment } from './format-moment.js'

/** The points of the chart as a table, newest first. */
export function ValueTable({ points, spanMs }: { points: readonly PortfolioPoint[]; spanMs: number }) {
  const columns: readonly Column<PortfolioPoint>[] = [
    { head: 'When', isTitle: true, cell: ({ at }) => <time dateTime={at}>{formatMoment(at, spanMs)}</time> },
    { head: 'Value', kind: 'figure', cell: ({ valueBNB }) => formatAmount(valueBNB) },
    { head: 'Paid for it', kind: 'figure', cell: ({ investedBNB }) => formatAmount(investedBNB) },
  ]
  return (
    <details className="value-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="value-scroll" aria-label="Values in figures" tabIndex={0}>
        <Table
          caption="Value over time, newest first, in BNB"
          columns={columns}
          rows={[...points].reverse()}
          keyOf={({ at }) => at}
        />
      </section>
    </details>
  )
}
