import './trader.css'
import { usePlatformConfig } from '../../api/platform.js'
import { Link } from '../../router/link.js'
import { Address } from '../../ui/address.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'
import { useOwnWallets } from '../../ui/you.js'
import { ConnectChoice } from '../../wallet/connect-choice.js'
import { Faucet } from './faucet.js'
import { Portfolio } from './portfolio.js'
import type { WalletAddress } from './use-portfolio.js'

/** What the connected wallet holds, or else the one that has signed in. */
export function PortfolioScreen() {
  const [address] = useOwnWallets()
  return (
    <Screen title="Your portfolio" className="trader">
      <header className="trader-head">
        <h1>Your portfolio</h1>
        {address !== undefined && (
          <p className="quiet">
            <Address address={address} what="your address" />
            <Link to={`/traders/${address}`}>as others see it</Link>
          </p>
        )}
      </header>
      {address === undefined ? (
        <NoWallet />
      ) : (
        <Portfolio address={address as WalletAddress} empty={<NoShares address={address as WalletAddress} />} />
      )}
    </Screen>
  )
}

function NoWallet() {
  const { data: config } = usePlatformConfig()
  if (config && !config.chain)
    return (
      <EmptyState title="Nothing is traded here">
        <p>This service has no chain, so there are no shares to hold.</p>
      </EmptyState>
    )
  return (
    <div className="state portfolio-none">
      <p className="state-title">Connect a wallet to see what you hold</p>
      <p className="state-text">
        The value of your shares, what you earned with them, and everything you did.
        {config?.features.faucet && ' The test wallet takes one click and comes with play money.'}
      </p>
      {config?.chain && <ConnectChoice chain={config.chain} hasFaucet={config.features.faucet} />}
    </div>
  )
}

function NoShares({ address }: { address: WalletAddress }) {
  const { data: config } = usePlatformConfig()
  return (
    <div className="state portfolio-none">
      <p className="state-title">You hold no shares yet</p>
      <p className="state-text">A share of an agent opens its private posts, and its price moves with every trade.</p>
      <Link to="/market" className="button button-main">
        Find an agent in the market
      </Link>
      {config?.features.faucet && <Faucet address={address} />}
    </div>
  )
}
