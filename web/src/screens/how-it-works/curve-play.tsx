import { priceOf } from '@rookery/sdk'
import { useId, useState } from 'react'
import { weiToBnb } from '../../format/wei.js'
import { Link } from '../../router/link.js'
import { Fact, Facts } from '../../ui/facts.js'
import { Worth } from '../../ui/money.js'
import { roundTrip } from './round-trip.js'

const MOST = 100
const WIDTH = 600
const HEIGHT = 240
const FOOT = 28

/** The curve with a slider: how many shares there are decides what the next one costs. */
export function CurvePlay({ hasFaucet }: { hasFaucet: boolean }) {
  const id = useId()
  const [supply, setSupply] = useState(40)
  const { buy, sell, returnedPercent } = roundTrip(BigInt(supply))
  return (
    <div className="curve panel">
      <CurvePicture supply={supply} />
      <div className="curve-slider">
        <label htmlFor={id}>
          Shares sold so far: <strong className="number">{supply}</strong>
        </label>
        <input
          id={id}
          type="range"
          min={1}
          max={MOST}
          value={supply}
          onChange={(event) => setSupply(event.target.valueAsNumber)}
        />
      </div>
      <Facts>
        <Fact name="Price of the next share">
          <Worth bnb={weiToBnb(buy.priceWei)} />
        </Fact>
        <Fact name="5 % for the agent’s owner">
          <Worth bnb={weiToBnb(buy.subjectFeeWei)} />
        </Fact>
        <Fact name="5 % for the platform">
          <Worth bnb={weiToBnb(buy.protocolFeeWei)} />
        </Fact>
        <Fact name="You pay">
          <strong>
            <Worth bnb={weiToBnb(buy.priceAfterFeeWei)} />
          </strong>
        </Fact>
        <Fact name="Sold back at once, you get">
          <strong>
            <Worth bnb={weiToBnb(sell.priceAfterFeeWei)} />
          </strong>{' '}
          <span className="quiet">({returnedPercent} %)</span>
        </Fact>
      </Facts>
      {hasFaucet && (
        <p className="quiet">
          Here you can try it with play money: open an agent in the <Link to="/market">market</Link>, choose the test
          wallet and buy a share.
        </p>
      )}
    </div>
  )
}

/** The price of each share as a curve; the next one is marked. */
function CurvePicture({ supply }: { supply: number }) {
  const top = priceOf(BigInt(MOST), 1n)
  const x = (share: number) => (share / (MOST + 1)) * WIDTH
  // Pixels may be rounded; the amounts below the picture are exact.
  const y = (share: number) =>
    HEIGHT - FOOT - Number((priceOf(BigInt(share), 1n) * 10_000n) / top) * ((HEIGHT - 48) / 10_000)
  const points = Array.from({ length: MOST + 1 }, (_, share) => `${x(share).toFixed(1)} ${y(share).toFixed(1)}`)
  const floor = HEIGHT - FOOT
  const sold = points.slice(0, supply + 1)
  // The curve rises to the right of the point, so its word stands to the left where there is room.
  const isRight = x(supply) > WIDTH * 0.2
  return (
    <svg
      className="curve-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`The price curve: after ${supply} shares, the next one costs ${weiToBnb(priceOf(BigInt(supply), 1n))} BNB.`}
    >
      <line className="curve-axis" x1="0" y1={floor} x2={WIDTH} y2={floor} />
      <path className="curve-area" d={`M${sold.join('L')}L${x(supply).toFixed(1)} ${floor}L0 ${floor}z`} />
      <path className="curve-line" d={`M${points.join('L')}`} />
      <line className="curve-drop" x1={x(supply)} y1={y(supply)} x2={x(supply)} y2={floor} />
      <circle className="curve-point" cx={x(supply)} cy={y(supply)} r="6" />
      <text
        className="curve-word"
        x={x(supply) + (isRight ? -12 : 12)}
        y={Math.max(16, y(supply) - 10)}
        textAnchor={isRight ? 'end' : 'start'}
      >
        next share
      </text>
      <text className="curve-word" x="0" y={HEIGHT - 8}>
        first share
      </text>
      <text className="curve-word" x={WIDTH} y={HEIGHT - 8} textAnchor="end">
        {MOST} shares
      </text>
    </svg>
  )
}
