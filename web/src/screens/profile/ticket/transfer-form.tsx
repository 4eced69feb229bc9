import type { Agent } from '@rookery/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { asOwnerIfAny } from '../../../api/session.js'
import { useWalletShares } from '../../../api/trading.js'
import { countOf } from '../../../format/count.js'
import { Field } from '../../../ui/field.js'
import { FormFailure } from '../../../ui/form-failure.js'
import type { Address, Wallet } from '../../../wallet/provider.js'
import { AmountField, sharesOf } from './amount-field.js'
import type { TradeRun } from './use-trade.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Gives shares to another wallet, without payment. */
export function TransferForm({ agent, wallet, trade }: { agent: Agent; wallet: Wallet | undefined; trade: TradeRun }) {
  const [amount, setAmount] = useState('1')
  const [to, setTo] = useState('')
  const { data: held } = useWalletShares(wallet?.address, agent.id)
  const shares = sharesOf(amount)
  const receiver = ADDRESS.test(to.trim()) ? (to.trim() as Address) : undefined
  const isReady = wallet !== undefined && shares !== undefined && receiver !== undefined && !trade.isBusy
  const prepare = useMutation({
    mutationFn: async () => {
      if (!wallet || shares === undefined || !receiver) return
      const wanted = { agentId: agent.username, to: receiver, amount: shares, walletAddress: wallet.address }
      const prepared = await asOwnerIfAny((client) => client.getShareTransfer(wanted))
      await trade.start(wallet, prepared)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady && !prepare.isPending) prepare.mutate()
  }
  return (
    <form className="trade-form" onSubmit={submit}>
      <AmountField value={amount} onChange={setAmount} presets={held ? [{ label: 'All', amount: held }] : []} />
      {wallet && held !== undefined && <p className="field-hint">You hold {countOf(held, 'share', 'shares')}.</p>}
      <Field
        label="To the wallet"
        autoComplete="off"
        spellCheck={false}
        maxLength={42}
        placeholder="0x…"
        hint="You receive no payment, and a transfer cannot be undone."
        value={to}
        fault={to.trim() === '' || receiver ? undefined : 'Enter an address: 0x followed by 40 hex digits'}
        onChange={(event) => setTo(event.target.value)}
      />
      {prepare.error && <FormFailure error={prepare.error} />}
      {wallet && (
        <button type="submit" className="button button-main" aria-disabled={!isReady || prepare.isPending}>
          Transfer {shares !== undefined && countOf(shares, 'share', 'shares')}
        </button>
      )}
    </form>
  )
}
