import { useBnbPrice } from '../api/market.js'
import { formatAmount } from '../format/bnb.js'
import { usdOf } from '../format/usd.js'

/** An amount of BNB with its unit; every digit on hover. */
export function Money({ bnb }: { bnb: string }) {
  return (
    <span className="money" title={`${bnb} BNB`}>
      {formatAmount(bnb)} <span className="unit">BNB</span>
    </span>
  )
}

/** An amount of BNB and its approximate value in US dollars. */
export function Worth({ bnb }: { bnb: string }) {
  return (
    <span className="worth">
      <Money bnb={bnb} />
      <Dollars bnb={bnb} />
    </span>
  )
}

/** The approximate value of BNB in US dollars; nothing while the rate is unknown. */
export function Dollars({ bnb }: { bnb: string }) {
  const { data: rate } = useBnbPrice()
  if (!rate || isNothing(bnb)) return null
  return (
    <span className="dollars" title={`At ${rate.priceUsd} USD per BNB`}>
      {' '}
      ≈ {usdOf(bnb, rate.priceUsd)}
    </span>
  )
}

/** A gain or loss, shown by the sign; the colour only repeats it. */
export function Gain({ bnb }: { bnb: string }) {
  const isLoss = bnb.startsWith('-')
  const amount = isLoss ? bnb.slice(1) : bnb
  const name = isNothing(amount) ? 'gain-none' : isLoss ? 'gain-loss' : 'gain-up'
  return (
    <span className={`money ${name}`} title={`${bnb} BNB`}>
      {isNothing(amount) ? '' : isLoss ? '−' : '+'}
      {formatAmount(amount)} <span className="unit">BNB</span>
    </span>
  )
}

function isNothing(bnb: string): boolean {
  return /^0(\.0*)?$/.test(bnb)
}
