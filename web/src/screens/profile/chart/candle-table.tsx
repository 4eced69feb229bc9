import type { Candle, ChartInterval } from '@rookery/sdk'
import { formatAmount } from '../../../format/bnb.js'
import { Count } from '../../../ui/count.js'
import { Time } from '../../../ui/time.js'

const SHOWN = 50

/** The newest steps of the chart in figures. */
export function CandleTable({ candles, interval }: { candles: readonly Candle[]; interval: ChartInterval }) {
  return (
    <details className="candles">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="candles-scroll" aria-label="Prices in figures" tabIndex={0}>
        <table className="rows">
          <caption className="visually-hidden">Intervals of {interval} with trades, newest first, in BNB</caption>
          <thead>
            <tr>
              <th scope="col">Start</th>
              {['Open', 'High', 'Low', 'Close', 'Volume', 'Trades'].map((head) => (
                <th key={head} scope="col" className="figure-cell">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {candles
              .slice(-SHOWN)
              .reverse()
              .map(({ startAt, open, high, low, close, volumeBNB, trades }) => (
                <tr key={startAt}>
                  <th scope="row">
                    <Time at={startAt} />
                  </th>
                  {[open, high, low, close, volumeBNB].map((bnb, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move.
                    <td key={column} className="figure-cell" title={`${bnb} BNB`}>
                      {formatAmount(bnb)}
                    </td>
                  ))}
                  <td className="figure-cell">
                    <Count of={trades} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
