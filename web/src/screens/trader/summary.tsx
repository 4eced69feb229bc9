import type { Portfolio } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { Change } from '../../ui/change.js'
import { Gain, Money, Worth } from '../../ui/money.js'

/** The figures of a whole portfolio. */
export function Summary({ portfolio }: { portfolio: Portfolio }) {
  return (
    <dl className="portfolio-figures">
      <Figure name="Value" isMain>
        <Worth bnb={portfolio.valueBNB} />
      </Figure>
      <Figure name="Profit" note="of all it paid for shares">
        <Gain bnb={portfolio.profitBNB} /> <Change percent={portfolio.profitPercent} />
      </Figure>
      <Figure name="24 hours">
        <Gain bnb={portfolio.change24hBNB} /> <Change percent={portfolio.change24hPercent} />
      </Figure>
      <Figure name="Open profit">
        <Gain bnb={portfolio.openProfitBNB} />
      </Figure>
      <Figure name="Realised">
        <Gain bnb={portfolio.realisedProfitBNB} />
      </Figure>
      <Figure name="Cost of these shares">
        <Money bnb={portfolio.costBasisBNB} />
      </Figure>
    </dl>
  )
}

function Figure({
  name,
  note,
  isMain = false,
  children,
}: {
  name: string
  note?: string
  isMain?: boolean
  children: ReactNode
}) {
  return (
    <div className={isMain ? 'portfolio-figure portfolio-value' : 'portfolio-figure'}>
      <dt title={note}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
