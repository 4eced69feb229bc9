import type { Agent, ShareQuote, TradeSide } from '@rookery/sdk'
import { type FormEvent, useState } from 'react'
import { msLeft, type QuoteRequest, useQuote, useWalletBalance, useWalletShares } from '../../../api/trading.js'
import { countOf } from '../../../format/count.js'
import { Choice } from '../../../ui/choice.js'
import { FormFailure } from '../../../ui/form-failure.js'
import type { Wallet } from '../../../wallet/provider.js'
import { AmountField, sharesOf } from './amount-field.js'
import { ConfirmImpact } from './confirm-impact.js'
import { Curve } from './curve.js'
import { STEEP_BPS } from './impact.js'
import { QuoteView } from './quote-view.js'
import { SubmitButton } from './submit-button.js'
import { useSettled } from './use-settled.js'
import type { TradeRun } from './use-trade.js'
import { whyNot } from './why-not.js'

const slippages = { '50': '0.5 %', '100': '1 %', '300': '3 %', '500': '5 %', '1000': '10 %' } as const
type Slippage = keyof typeof slippages

const FRESH_MS = 3000

/** Buys or sells: the amount, its place on the curve, its quote, and the button that opens the wallet. */
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
  const [isAsking, setAsking] = useState(false)
  const shares = sharesOf(useSettled(amount))
  const { data: held } = useWalletShares(wallet?.address, agent.id)
  const { data: balanceWei } = useWalletBalance(wallet)
  const isOwner = wallet?.address === agent.walletAddress
  // The service refuses a wallet that has not enough to sell; without one it still says the price.
  const isPossible = side === 'buy' || (held !== undefined && (shares ?? 0) <= (isOwner ? held - 1 : held))
  const request: QuoteRequest | undefined =
    shares === undefined
      ? undefined
      : {
          side,
          agentId: agent.username,
          amount: shares,
          slippageBps: Number(slippage),
          ...(wallet && isPossible && { walletAddress: wallet.address }),
        }
  const quote = useQuote(request)
  const isLaunch = !agent.tradeable
  const verb = isLaunch ? 'Launch' : side === 'buy' ? 'Buy' : 'Sell'
  const wish = {
    verb,
    side,
    name: agent.displayName,
    hasWallet: wallet !== undefined,
    isOwner,
    shares,
    held,
    balanceWei,
  }
  const reason = whyNot({ ...wish, quote: quote.data ?? (quote.error ? null : undefined) })
  // What the page knows by itself it says in its own words.
  const isExplained = wallet !== undefined && whyNot({ ...wish, quote: undefined }) === reason

  function change(text: string) {
    setAmount(text)
    setAsking(false)
  }

  async function freshQuote(): Promise<ShareQuote | undefined> {
    if (!quote.data) return undefined
    const isFresh = msLeft(quote.data.expiresAt) > FRESH_MS && !quote.isPlaceholderData
    return isFresh ? quote.data : (await quote.refetch()).data
  }

  async function start({ isSure }: { isSure: boolean }) {
    if (!wallet || trade.isBusy || reason !== undefined) return
    const prepared = await freshQuote()
    if (!prepared) return
    const isSteep = side === 'buy' && !isLaunch && prepared.priceImpactBps > STEEP_BPS
    setAsking(isSteep && !isSure)
    if (!isSteep || isSure) await trade.start(wallet, prepared)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void start({ isSure: false })
  }

  return (
    <form className="trade-form" onSubmit={submit}>
      <AmountField value={amount} onChange={change} presets={presetsOf(side, held)} />
      {wallet && held !== undefined && <p className="field-hint">You hold {countOf(held, 'share', 'shares')}.</p>}
      <Curve supply={agent.totalSupply} amount={sharesOf(amount) ?? 0} side={side} />
      {!isLaunch && <Choice label="Maximum slippage" value={slippage} options={slippages} onChange={setSlippage} />}
      {quote.error && shares !== undefined
        ? !isExplained && <FormFailure error={quote.error} />
        : quote.data &&
          shares !== undefined &&
          sharesOf(amount) !== undefined && (
            <QuoteView quote={quote.data} isOld={quote.isPlaceholderData} refresh={() => void quote.refetch()} />
          )}
      {isAsking && quote.data && reason === undefined ? (
        <ConfirmImpact
          quote={quote.data}
          supply={agent.totalSupply}
          isBusy={trade.isBusy}
          onConfirm={() => void start({ isSure: true })}
          onBack={() => setAsking(false)}
        />
      ) : (
        <SubmitButton reason={reason} isBusy={trade.isBusy}>
          {verb} {shares !== undefined && countOf(shares, 'share', 'shares')}
        </SubmitButton>
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
