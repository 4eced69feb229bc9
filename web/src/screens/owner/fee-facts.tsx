import type { ReactNode } from 'react'
import { Fact, Facts } from '../../ui/facts.js'
import { Money, Worth } from '../../ui/money.js'

/** What waits to be collected and what was, with more facts below. */
export function FeeFacts({
  fees: { claimableBNB, claimedBNB },
  children,
}: {
  fees: { claimableBNB: string; claimedBNB: string }
  children?: ReactNode
}) {
  return (
    <Facts>
      <Fact name="Waiting">
        <strong>
          <Worth bnb={claimableBNB} />
        </strong>
      </Fact>
      <Fact name="Collected">
        <Money bnb={claimedBNB} />
      </Fact>
      {children}
    </Facts>
  )
}
