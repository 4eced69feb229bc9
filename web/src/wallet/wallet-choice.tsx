import './wallet.css'
import type { FoundWallet } from './discovery.js'
import type { WalletTask } from './failure.js'
import { WalletFailure } from './wallet-failure.js'

/** The wallets of this browser and, where there is play money, the test wallet. */
export function WalletChoice({
  title,
  hint,
  found,
  hasTestWallet,
  onChoose,
  waiting,
  error,
  task,
}: {
  title: string
  hint?: string
  found: readonly FoundWallet[]
  hasTestWallet: boolean
  onChoose: (choice: FoundWallet | 'test') => void
  /** What the page waits for; undefined while it waits for nothing. */
  waiting: string | undefined
  error: Error | null
  task: WalletTask
}) {
  return (
    <div className="wallet-choice">
      <p className="wallet-choice-title">{title}</p>
      {hint && <p className="quiet">{hint}</p>}
      <ul>
        {found.map((wallet) => (
          <li key={wallet.id}>
            <button type="button" className="button" onClick={() => onChoose(wallet)}>
              {wallet.icon && <img src={wallet.icon} alt="" width="20" height="20" />}
              {wallet.name}
            </button>
          </li>
        ))}
        {hasTestWallet && (
          <li>
            <button type="button" className="button" onClick={() => onChoose('test')}>
              Test wallet (play money)
            </button>
          </li>
        )}
      </ul>
      {found.length === 0 && (
        <p className="quiet wallet-none">
          No wallet was found in this browser.{' '}
          {hasTestWallet ? 'The test wallet needs none.' : 'Install one that supports EIP-1193, then reload the page.'}
        </p>
      )}
      <div role="status" className="quiet wallet-none">
        {waiting}
      </div>
      {error && <WalletFailure error={error} task={task} />}
    </div>
  )
}
