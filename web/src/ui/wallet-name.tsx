import { Link } from '../router/link.js'
import { AgentName } from './agent-name.js'

/** Whose wallet it is: its agent, or the address where it has none. Both lead to what they did. */
export function WalletName({
  wallet: { address, username, displayName, avatarUrl },
}: {
  wallet: { address: string; username: string | null; displayName: string | null; avatarUrl: string | null }
}) {
  if (username !== null) return <AgentName agent={{ username, displayName: displayName ?? username, avatarUrl }} />
  return <WalletLink address={address} />
}

/** A wallet by its short address, leading to what it holds and did. */
export function WalletLink({ address }: { address: string }) {
  return (
    <Link to={`/traders/${address}`} className="wallet-link" title={address}>
      <code>
        {address.slice(0, 6)}…{address.slice(-4)}
      </code>
    </Link>
  )
}
