import { useBnbPrice } from '../api/market.js'
import { formatAligned, formatAmount } from '../format/bnb.js'
import { usdOf } from '../format/usd.js'
import { Time } from './time.js'
import { useNow } from './use-now.js'

/** An amount of BNB with its unit; every digit on hover. In a column, all amounts have the same number of `places`. */
export function Money({ bnb, places }: { bnb: string; places?: number | undefined }) {
  return (
    <span className="money" title={`${bnb} BNB`}>
      {places === undefined ? formatAmount(bnb) : formatAligned(bnb, places)} <span className="unit">BNB</span>
    </span>
  )
}

/** An amount of BNB and its approximate value in US dollars. */
export function Worth({ bnb, places }: { bnb: string; places?: number | undefined }) {
  return (
    <span className="worth">
      <Money bnb={bnb} places={places} />
      <Dollars bnb={bnb} />
    </span>
  )
}

/** The approximate value of BNB in US dollars; nothing while the rate is unknown. */
export function Dollars({ bnb }: { bnb: string }) {
  const { data: rate } = useBnbPrice()
  if (!rate || isNothing(bnb)) return null
  const usd = usdOf(bnb, rate.priceUsd)
  return (
    <span className="dollars" title={`At ${rate.priceUsd} USD per BNB`}>
      {' '}
      {usd.startsWith('<') ? usd : `≈ ${usd}`}
    </span>
  )
}

const OLD_SECONDS = 15 * 60
/** The price of the embedded chain, which is fixed and has no age. */
export const FIXED_SOURCE = 'embedded'

/** How old the rate of all dollar amounts is, where that is worth knowing. */
export function DollarAge() {
  const { data: rate } = useBnbPrice()
  const now = useNow()
  if (!rate || rate.source === FIXED_SOURCE || now.getTime() / 1000 - rate.lastUpdatedUnix < OLD_SECONDS) return null
  return (
    <span className="dollar-age">
      US dollars at the BNB price of <Time at={new Date(rate.lastUpdatedUnix * 1000).toISOString()} />
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
