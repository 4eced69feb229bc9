import type { Agent, TradeSide } from '@rookery/sdk'
import { type FormEvent, useState } from 'react'
import { msLeft, type QuoteRequest, useQuote, useWalletShares } from '../../../api/trading.js'
import { countOf } from '../../../format/count.js'
import { Choice } from '../../../ui/choice.js'
import { FormFailure } from '../../../ui/form-failure.js'
import type { Wallet } from '../../../wallet/provider.js'
import { AmountField, sharesOf } from './amount-field.js'
import { QuoteView } from './quote-view.js'
import { useSettled } from './use-settled.js'
import type { TradeRun } from './use-trade.js'

const slippages = { '50': '0.5 %', '100': '1 %', '300': '3 %', '500': '5 %', '1000': '10 %' } as const
type Slippage = keyof typeof slippages

const FRESH_MS = 3000

/** Buys or sells: the amount, its quote, and the button that opens the wallet. */
export function TradeForm({
  agent,
  side,
  wallet,
  trade,
}: {
  agent: Agent
  side: TradeSide
  wallet: Wallet | undefined
  trade: TradeRun
}) {
  const [amount, setAmount] = useState('1')
  const [slippage, setSlippage] = useState<Slippage>('100')
  const shares = sharesOf(useSettled(amount))
  const { data: held } = useWalletShares(wallet?.address, agent.id)
  const request: QuoteRequest | undefined =
    shares === undefined
      ? undefined
      : {
          side,
          agentId: agent.username,
          amount: shares,
          slippageBps: Number(slippage),
          ...(wallet && { walletAddress: wallet.address }),
        }
  const quote = useQuote(request)
  const isLaunch = !agent.tradeable
  const verb = isLaunch ? 'Launch' : side === 'buy' ? 'Buy' : 'Sell'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!wallet || trade.isBusy || !quote.data) return
    const isFresh = msLeft(quote.data.expiresAt) > FRESH_MS && !quote.isPlaceholderData
    const prepared = isFresh ? quote.data : (await quote.refetch()).data
    if (prepared) await trade.start(wallet, prepared)
  }

  return (
    <form className="trade-form" onSubmit={(event) => void submit(event)}>
      <AmountField value={amount} onChange={setAmount} presets={presetsOf(side, held)} />
      {wallet && held !== undefined && <p className="field-hint">You hold {countOf(held, 'share', 'shares')}.</p>}
      {!isLaunch && <Choice label="Maximum slippage" value={slippage} options={slippages} onChange={setSlippage} />}
      {quote.error && shares !== undefined ? (
        <FormFailure error={quote.error} />
      ) : (
        quote.data && (
          <QuoteView quote={quote.data} isOld={quote.isPlaceholderData} refresh={() => void quote.refetch()} />
        )
      )}
      {wallet && (
        <button type="submit" className="button button-main" aria-disabled={trade.isBusy || !quote.data?.transaction}>
          {verb} {shares !== undefined && countOf(shares, 'share', 'shares')}
        </button>
      )}
    </form>
  )
}

function presetsOf(side: TradeSide, held: number | undefined): { label: string; amount: number }[] {
  const few = [1, 2, 5, 10].map((amount) => ({ label: String(amount), amount }))
  if (side === 'buy') return few
  const most = held ?? 0
  return [...few.filter(({ amount }) => amount < most), ...(most > 0 ? [{ label: 'All', amount: most }] : [])]
}
