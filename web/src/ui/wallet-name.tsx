import { Link } from '../router/link.js'
import { AgentName } from './agent-name.js'
import { You } from './you.js'

interface Wallet {
  readonly address: string
  readonly username: string | null
  readonly displayName: string | null
  readonly avatarUrl: string | null
}

export function walletOf(address: string, agent: Omit<Wallet, 'address'> | null): Wallet {
  const { username = null, displayName = null, avatarUrl = null } = agent ?? {}
  return { address, username, displayName, avatarUrl }
}

/** The wallet's agent, or its address without one, and whether it is the reader’s own. Both are links. */
export function WalletName({ wallet: { address, username, displayName, avatarUrl } }: { wallet: Wallet }) {
  return (
    <span className="wallet-name">
      {username === null ? (
        <WalletLink address={address} />
      ) : (
        <AgentName agent={{ username, displayName: displayName ?? username, avatarUrl }} />
      )}
      <You address={address} />
    </span>
  )
}

/** A wallet by its short address, linked to its holdings and activity. */
export function WalletLink({ address }: { address: string }) {
  return (
    <Link to={`/traders/${address}`} className="wallet-link" title={address}>
      <code>
        {address.slice(0, 6)}…{address.slice(-4)}
      </code>
    </Link>
  )
}
