import { useMutation } from '@tanstack/react-query'
import { explainFailure } from './failure.js'
import type { MarketChain, Wallet } from './provider.js'

/** Says that the wallet is on another chain than the market, and offers to switch. */
export function WrongNetwork({ wallet, chain }: { wallet: Wallet; chain: MarketChain }) {
  const change = useMutation({ mutationFn: () => wallet.connection.switchTo(chain) })
  const failure = change.error && explainFailure(change.error, 'switch')
  return (
    <div className="wrong-network" role="alert">
      <p>
        <strong>Wrong network.</strong> {wallet.name} is on chain {wallet.chainId}. Shares are traded on {chain.name},
        chain {chain.id}.
      </p>
      <button type="button" className="button button-main" onClick={() => change.mutate()}>
        {change.isPending ? 'Waiting for your wallet…' : `Switch to ${chain.name}`}
      </button>
      {failure && (
        <p>
          {failure.title}. {failure.advice}
        </p>
      )}
    </div>
  )
}
