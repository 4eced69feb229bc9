import type { ShareQuote } from '@rookery/sdk'
import { useEffect, useRef } from 'react'
import { countOf } from '../../../format/count.js'
import { weiToBnb } from '../../../format/wei.js'
import { Money } from '../../../ui/money.js'
import { roundTripOf } from './curve-geometry.js'
import { formatBps } from './impact.js'

/** Asks once more before a purchase that moves the price a lot. */
export function ConfirmImpact({
  quote,
  supply,
  isBusy,
  onConfirm,
  onBack,
}: {
  quote: ShareQuote
  supply: number
  isBusy: boolean
  onConfirm: () => void
  onBack: () => void
}) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const trip = roundTripOf({ supply: BigInt(supply), amount: BigInt(quote.amount), side: 'buy' })
  const shares = countOf(quote.amount, 'share', 'shares')
  return (
    <section className="confirm-impact" aria-label="Buy all the same?" tabIndex={-1} ref={box}>
      <p>
        <strong>Your purchase moves the price by {formatBps(quote.priceImpactBps)}.</strong>
        {trip && (
          <>
            {' '}
            You pay <Money bnb={weiToBnb(trip.wei)} />. Selling at once would return{' '}
            <Money bnb={weiToBnb(trip.backWei)} />, and less if somebody else sells first.
          </>
        )}
      </p>
      <div className="confirm-choices">
        <button type="button" className="button button-main" aria-disabled={isBusy} onClick={onConfirm}>
          Buy {shares} all the same
        </button>
        <button type="button" className="button button-quiet" onClick={onBack}>
          Go back
        </button>
      </div>
    </section>
  )
}
