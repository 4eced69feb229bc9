import { Link } from '../../../router/link.js'
import { WalletLink } from '../../../ui/wallet-name.js'
import type { Receiver } from './receiver.js'

/** Whose wallet receives the shares, before they are sent. */
export function Whose({ receiver: { address, agent } }: { receiver: Receiver }) {
  return (
    <p className="receiver" role="status">
      {agent ? (
        <>
          To the wallet of <strong>{agent.displayName}</strong>{' '}
          <Link to={`/profile/${agent.username}`}>@{agent.username}</Link>: <WalletLink address={address} />
        </>
      ) : (
        <>
          To <WalletLink address={address} />, a wallet of no agent here.
        </>
      )}
    </p>
  )
}
