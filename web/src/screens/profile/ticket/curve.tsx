import type { TradeSide } from '@rookery/sdk'
import { formatAmount } from '../../../format/bnb.js'
import { formatExactCount } from '../../../format/count.js'
import { weiToBnb } from '../../../format/wei.js'
import { Money } from '../../../ui/money.js'
import { drawCurve, HEIGHT, roundTripOf, WIDTH } from './curve-geometry.js'

const LABELS = 18

/** The curve around a trade: where the market is, what the trade moves, and what the opposite trade would return at once. */
export function Curve({ supply, amount, side }: { supply: number; amount: number; side: TradeSide }) {
  const trade = { supply: BigInt(supply), amount: BigInt(amount), side }
  const picture = drawCurve(trade)
  if (!picture) return null
  const trip = roundTripOf(trade)
  const after = side === 'buy' ? supply + amount : supply - amount
  const isLeft = picture.now.x < WIDTH / 2
  return (
    <figure className="curve">
      <p className="visually-hidden">{wordsOf(supply, amount, side)}</p>
      <svg viewBox={`0 -6 ${WIDTH} ${HEIGHT + LABELS + 6}`} aria-hidden="true">
        <path className="curve-kept" d={picture.kept} />
        <path className="curve-fees" d={picture.fees} />
        <path className="curve-line" d={picture.line} />
        <line className="curve-floor" x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} />
        <line className="curve-now" x1={picture.now.x} y1={picture.now.y} x2={picture.now.x} y2={HEIGHT + 4} />
        {amount > 0 && <circle className="curve-then" cx={picture.after.x} cy={picture.after.y} r="3.5" />}
        <circle className="curve-dot" cx={picture.now.x} cy={picture.now.y} r="3.5" />
        <text x={picture.now.x} y={HEIGHT + 15} textAnchor={isLeft ? 'start' : 'end'} dx={isLeft ? -3 : 3}>
          {formatExactCount(supply)} now{amount > 0 && `, ${formatExactCount(after)} after`}
        </text>
      </svg>
      {trip && (
        <figcaption>
          <dl className="curve-legend">
            <div>
              <dt className="curve-key-kept">{side === 'buy' ? 'Back if you sell at once' : 'Yours after fees'}</dt>
              <dd>
                <Money bnb={weiToBnb(side === 'buy' ? trip.backWei : trip.wei)} />
                {side === 'buy' && <span className="curve-loss"> −{trip.lostPercent} %</span>}
              </dd>
            </div>
            <div>
              <dt className="curve-key-fees">{side === 'buy' ? 'Fees, there and back' : 'Fees'}</dt>
              <dd>
                <Money bnb={weiToBnb(side === 'buy' ? trip.wei - trip.backWei : trip.wei / 9n)} />
              </dd>
            </div>
          </dl>
        </figcaption>
      )}
    </figure>
  )
}

/** The picture in words. */
function wordsOf(supply: number, amount: number, side: TradeSide): string {
  const trip = roundTripOf({ supply: BigInt(supply), amount: BigInt(amount), side })
  const now = `The price on the curve, which rises with the square of the supply. There are ${formatExactCount(supply)} shares now.`
  if (!trip) return now
  const [wei, back] = [trip.wei, trip.backWei].map((wei) => `${formatAmount(weiToBnb(wei))} BNB`)
  if (side === 'buy')
    return `${now} Buying ${formatExactCount(amount)} makes it ${formatExactCount(supply + amount)} and costs ${wei} with fees. Selling them back at once would return ${back}.`
  return `${now} Selling ${formatExactCount(amount)} makes it ${formatExactCount(supply - amount)} and pays ${wei} after fees. Buying them again at once would cost ${back}.`
}
