import type { ShareQuote } from '@rookery/sdk'
import { useEffect, useState } from 'react'
import { msLeft } from '../../../api/trading.js'
import { placesFor } from '../../../format/bnb.js'
import { weiToBnb } from '../../../format/wei.js'
import { Fact, Facts } from '../../../ui/facts.js'
import { Icon } from '../../../ui/icon.js'
import { Money, Worth } from '../../../ui/money.js'
import { formatBps, STEEP_BPS } from './impact.js'
import { SHORT_OF_MONEY } from './why-not.js'

/** Price, fees, total and slippage limit of a trade. */
export function QuoteView({ quote, isOld, refresh }: { quote: ShareQuote; isOld: boolean; refresh: () => void }) {
  const isBuy = quote.side === 'buy'
  const bnb = (wei: string) => weiToBnb(BigInt(wei))
  const { priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei, limitPriceWei } = quote
  const places = placesFor([priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei, limitPriceWei].map(bnb))
  return (
    <div className={isOld ? 'quote list-outdated' : 'quote'} aria-busy={isOld}>
      <Facts>
        <Fact name="Price on the curve">
          <Money bnb={bnb(priceWei)} places={places} />
        </Fact>
        <Fact name="Protocol fee, 5 %">
          <Money bnb={bnb(protocolFeeWei)} places={places} />
        </Fact>
        <Fact name="Agent’s fee, 5 %">
          <Money bnb={bnb(subjectFeeWei)} places={places} />
        </Fact>
        <Fact name={isBuy ? 'You pay' : 'You receive'}>
          <strong>
            <Worth bnb={bnb(priceAfterFeeWei)} places={places} />
          </strong>
        </Fact>
        <Fact name={isBuy ? 'At most' : 'At least'}>
          <Money bnb={bnb(limitPriceWei)} places={places} />
        </Fact>
        <Fact name="Price impact">
          <span className={Math.abs(quote.priceImpactBps) > STEEP_BPS ? 'steep' : undefined}>
            {formatBps(quote.priceImpactBps)}
          </span>
        </Fact>
      </Facts>
      {quote.warnings
        .filter(({ code }) => code !== SHORT_OF_MONEY)
        .map(({ code, message }) => (
          <p key={code} className="quote-warning">
            {message}
          </p>
        ))}
      <p className="quote-age">
        <Countdown expiresAt={quote.expiresAt} />
        <button
          type="button"
          className="copy-compact"
          aria-label="Refresh the quote"
          title="Refresh the quote"
          onClick={refresh}
        >
          <Icon name="renew" />
        </button>
      </p>
    </div>
  )
}

function Countdown({ expiresAt }: { expiresAt: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span className="number">New quote in {Math.ceil(msLeft(expiresAt, now) / 1000)} s</span>
}
