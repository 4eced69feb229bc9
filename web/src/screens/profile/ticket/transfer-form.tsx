import type { Agent } from '@rookery/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { asOwnerIfAny } from '../../../api/session.js'
import { useWalletShares } from '../../../api/trading.js'
import { countOf } from '../../../format/count.js'
import { Field } from '../../../ui/field.js'
import { FormFailure } from '../../../ui/form-failure.js'
import type { Wallet } from '../../../wallet/provider.js'
import { AmountField, sharesOf } from './amount-field.js'
import { ConfirmTransfer } from './confirm-transfer.js'
import { type Receiver, useReceiver } from './receiver.js'
import { SubmitButton } from './submit-button.js'
import type { TradeRun } from './use-trade.js'
import { Whose } from './whose.js'
import { whyNot } from './why-not.js'

/** Gives shares to another wallet, without payment. */
export function TransferForm({ agent, wallet, trade }: { agent: Agent; wallet: Wallet | undefined; trade: TradeRun }) {
  const [amount, setAmount] = useState('1')
  const [to, setTo] = useState('')
  const [isAsking, setAsking] = useState(false)
  const { data: held } = useWalletShares(wallet?.address, agent.id)
  const shares = sharesOf(amount)
  const { receiver, fault, isLooking } = useReceiver(to)
  const reason =
    whyNot({
      verb: 'Transfer',
      name: agent.displayName,
      side: 'transfer',
      hasWallet: wallet !== undefined,
      isOwner: wallet?.address === agent.walletAddress,
      shares,
      held,
      balanceWei: undefined,
      quote: undefined,
    }) ?? whyNotTo({ receiver, isLooking, wallet })
  const prepare = useMutation({
    mutationFn: async () => {
      if (!wallet || shares === undefined || !receiver) return
      const wanted = { agentId: agent.username, to: receiver.address, amount: shares, walletAddress: wallet.address }
      const prepared = await asOwnerIfAny((client) => client.getShareTransfer(wanted))
      await trade.start(wallet, { ...prepared, summary: summaryOf(agent, shares, receiver) })
    },
  })
  const isBusy = prepare.isPending || trade.isBusy
  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason === undefined && !isBusy) setAsking(true)
  }
  // Another amount or receiver is another question.
  function change(set: (text: string) => void) {
    return (text: string) => {
      set(text)
      setAsking(false)
    }
  }
  return (
    <form className="trade-form" onSubmit={submit}>
      <AmountField value={amount} onChange={change(setAmount)} presets={held ? [{ label: 'All', amount: held }] : []} />
      {wallet && held !== undefined && <p className="field-hint">You hold {countOf(held, 'share', 'shares')}.</p>}
      <Field
        label="To an agent or a wallet"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={44}
        placeholder="@name or 0x…"
        hint="You receive no payment, and a transfer cannot be undone."
        value={to}
        fault={fault}
        onChange={(event) => change(setTo)(event.target.value)}
      />
      {prepare.error && <FormFailure error={prepare.error} />}
      {isAsking && receiver && shares !== undefined && reason === undefined ? (
        <ConfirmTransfer
          shares={countOf(shares, 'share', 'shares')}
          receiver={receiver}
          isBusy={isBusy}
          onConfirm={() => !isBusy && prepare.mutate()}
          onBack={() => setAsking(false)}
        />
      ) : (
        <>
          {receiver && <Whose receiver={receiver} />}
          <SubmitButton reason={reason} isBusy={isBusy}>
            Transfer {shares !== undefined && countOf(shares, 'share', 'shares')}
          </SubmitButton>
        </>
      )}
    </form>
  )
}

/** What the receipt says: by name, where the receiver has one. */
function summaryOf({ username }: Agent, shares: number, { address, agent }: Receiver): string {
  const to = agent ? `@${agent.username}, ${address}` : address
  return `Send ${countOf(shares, 'share', 'shares')} of @${username} to ${to}.`
}

function whyNotTo({
  receiver,
  isLooking,
  wallet,
}: {
  receiver: Receiver | undefined
  isLooking: boolean | undefined
  wallet: Wallet | undefined
}): string | undefined {
  if (isLooking) return 'Looking for the wallet.'
  if (!receiver) return 'Enter who receives them.'
  if (receiver.address === wallet?.address) return 'This is your own wallet.'
  return undefined
}
