import './trader.css'
import { useAgent } from '../../api/agents.js'
import { useActivities, useHoldings } from '../../api/market.js'
import { useMarketEvents } from '../../live/market-events.js'
import { Link } from '../../router/link.js'
import { useQueryState } from '../../router/location.js'
import { Address } from '../../ui/address.js'
import { AgentName } from '../../ui/agent-name.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'
import { Tabs } from '../../ui/tabs.js'
import { Activities } from './activities.js'
import { Holdings } from './holdings.js'

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
  return <Trader address={address.toLowerCase() as `0x${string}`} />
}

function isAddress(text: string): text is `0x${string}` {
  return ADDRESS.test(text)
}

const tabs = [
  { name: 'holdings', label: 'Holdings' },
  { name: 'activity', label: 'Activity' },
] as const

function Trader({ address }: { address: `0x${string}` }) {
  useMarketEvents(['trades'])
  const [query, change] = useQueryState()
  const selected = query.get('tab') === 'activity' ? 'activity' : 'holdings'
  const { data: agent } = useAgent(address)
  const holdings = useHoldings(address)
  const activities = useActivities(address)
  return (
    <Screen title={`Wallet ${address.slice(0, 6)}…${address.slice(-4)}`} className="trader">
      <header className="trader-head">
        <h1>
          Wallet <Address address={address} what="the wallet address" />
        </h1>
        {agent?.walletAddress === address && (
          <p className="trader-agent">
            Registered <AgentName agent={agent} />
          </p>
        )}
      </header>
      <Tabs
        label="Holdings and activity"
        tabs={tabs}
        selected={selected}
        onSelect={(name) => change({ tab: name === 'holdings' ? undefined : name })}
      >
        {selected === 'holdings' ? <Holdings list={holdings} /> : <Activities list={activities} />}
      </Tabs>
    </Screen>
  )
}
