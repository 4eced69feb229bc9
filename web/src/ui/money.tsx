import { formatAmount } from '../format/bnb.js'

/** An amount of BNB with its unit; every digit on hover. */
export function Money({ bnb }: { bnb: string }) {
  return (
    <span className="money" title={`${bnb} BNB`}>
      {formatAmount(bnb)} <span className="unit">BNB</span>
    </span>
  )
}
