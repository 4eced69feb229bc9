import type { Fees } from '@rookery/sdk'
import { weiToBnb } from '../../format/wei.js'
import { Money } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'

type Day = Fees['byDay'][number]

const HEIGHT = 96
const STEP = 10
const BAR = 7
const LEAST = 2

/** What trades earned day by day: as bars, and as a table of the days with trades. */
export function Earnings({ days }: { days: readonly Day[] }) {
  const earning = days.filter(({ tradesCount }) => tradesCount > 0)
  const sum = earning.reduce((total, { earnedWei }) => total + BigInt(earnedWei), 0n)
  return (
    <section className="panel" aria-labelledby="fee-days-title">
      <h2 id="fee-days-title">Last {days.length} days</h2>
      {earning.length === 0 ? (
        <EmptyState title="No trades in this time" />
      ) : (
        <>
          <p>
            <Money bnb={weiToBnb(sum)} /> <span className="quiet">earned</span>
          </p>
          <Bars days={days} />
          <details>
            <summary>As a table</summary>
            <DayTable days={earning} />
          </details>
        </>
      )}
    </section>
  )
}

function Bars({ days }: { days: readonly Day[] }) {
  const oldestFirst = days.toReversed()
  const most = oldestFirst.reduce((best, { earnedWei }) => (BigInt(earnedWei) > best ? BigInt(earnedWei) : best), 1n)
  // Only pixels: the amounts themselves are in the table.
  const heightOf = (wei: bigint) => (wei === 0n ? 0 : Math.max(LEAST, Number((wei * BigInt(HEIGHT)) / most)))
  return (
    <figure className="owner-bars">
      <svg
        viewBox={`0 0 ${oldestFirst.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Earned on each of the last ${days.length} days`}
      >
        {oldestFirst.map(({ date, earnedWei, earnedBNB }, i) => {
          const height = heightOf(BigInt(earnedWei))
          return (
            <rect key={date} x={i * STEP} y={HEIGHT - height} width={BAR} height={height}>
              <title>{`${date}: ${earnedBNB} BNB`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="owner-bars-days">
        <span>{oldestFirst[0]?.date}</span>
        <span>today (UTC)</span>
      </figcaption>
    </figure>
  )
}

function DayTable({ days }: { days: readonly Day[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable with the keyboard.
    <section className="owner-scroll" tabIndex={0} aria-label="Earned day by day">
      <table className="owner-table">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Trades</th>
            <th scope="col">Earned</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, tradesCount, earnedBNB }) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              <td>{tradesCount}</td>
              <td>
                <Money bnb={earnedBNB} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
