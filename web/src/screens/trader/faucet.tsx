import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rookery } from '../../api/client.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Money } from '../../ui/money.js'
import type { WalletAddress } from './use-portfolio.js'

/** Asks for play money, on the embedded chain. */
export function Faucet({ address }: { address: WalletAddress }) {
  const queries = useQueryClient()
  const ask = useMutation({
    mutationFn: () => rookery.requestFaucet({ address }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['wallet-balance'] }),
  })
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={ask.isPending}
        onClick={() => !ask.isPending && ask.mutate()}
      >
        {ask.isPending ? 'One moment…' : 'Get play money'}
      </button>
      <p className="state-text" role="status">
        {ask.data && (
          <>
            <Money bnb={ask.data.amountBNB} /> arrived in the wallet.
          </>
        )}
      </p>
      {ask.error && <FormFailure error={ask.error} />}
    </>
  )
}
