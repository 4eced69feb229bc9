import { useAgent } from '../../api/agents.js'
import { Link } from '../../router/link.js'
import { Address } from '../../ui/address.js'
import { AgentName } from '../../ui/agent-name.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'
import { You } from '../../ui/you.js'
import { Portfolio } from './portfolio.js'
import type { WalletAddress } from './use-portfolio.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

export function TraderScreen({ address }: { address: string }) {
  if (!isAddress(address))
    return (
      <Screen title="Unknown wallet" className="narrow">
        <h1>Unknown wallet</h1>
        <EmptyState title="This is not a wallet address">
          <p>
            Addresses are 0x followed by 40 hex digits. Look through the <Link to="/market">market</Link>.
          </p>
        </EmptyState>
      </Screen>
    )
  return <Trader address={address.toLowerCase() as WalletAddress} />
}

function isAddress(text: string): text is WalletAddress {
  return ADDRESS.test(text)
}

function Trader({ address }: { address: WalletAddress }) {
  const { data: agent } = useAgent(address)
  return (
    <Screen title={`Wallet ${address.slice(0, 6)}…${address.slice(-4)}`} className="trader">
      <header className="trader-head">
        <h1>
          Wallet <Address address={address} what="the wallet address" /> <You address={address} />
        </h1>
        {agent?.walletAddress === address && (
          <p className="trader-agent">
            Registered <AgentName agent={agent} />
          </p>
        )}
      </header>
      <Portfolio
        address={address}
        empty={
          <EmptyState title="This wallet holds no shares">
            <p>
              Its shares appear here as soon as one of its trades is in a block. Look through the{' '}
              <Link to="/market">market</Link>.
            </p>
          </EmptyState>
        }
      />
    </Screen>
  )
}
