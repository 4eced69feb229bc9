import type { ShareQuote } from '@rookery/sdk'
import { countOf } from '../../../format/count.js'
import { weiToBnb } from '../../../format/wei.js'
import { Money } from '../../../ui/money.js'
import { Confirm } from './confirm.js'
import { roundTripOf } from './curve-geometry.js'
import { formatBps } from './impact.js'

/** Asks once more before a purchase that moves the price a lot. */
export function ConfirmImpact({
  quote,
  supply,
  ...answers
}: {
  quote: ShareQuote
  supply: number
  isBusy: boolean
  onConfirm: () => void
  onBack: () => void
}) {
  const trip = roundTripOf({ supply: BigInt(supply), amount: BigInt(quote.amount), side: 'buy' })
  const shares = countOf(quote.amount, 'share', 'shares')
  return (
    <Confirm question="Buy all the same?" action={`Buy ${shares} all the same`} {...answers}>
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
    </Confirm>
  )
}
