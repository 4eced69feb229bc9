import './trader.css'
import type { ReactNode } from 'react'
import { useActivities, useHoldings } from '../../api/market.js'
import { useQueryState } from '../../router/location.js'
import { ErrorState, Skeleton } from '../../ui/states.js'
import { Tabs } from '../../ui/tabs.js'
import { Activities } from './activities.js'
import { Holdings } from './holdings.js'
import { Summary } from './summary.js'
import { usePortfolio, usePortfolioEvents, type WalletAddress } from './use-portfolio.js'
import { ValueChart } from './value-chart.js'

const tabs = [
  { name: 'holdings', label: 'Positions' },
  { name: 'activity', label: 'Activity' },
] as const

/** All that a wallet holds, what it is worth over time, and what it did. */
export function Portfolio({ address, empty }: { address: WalletAddress; empty: ReactNode }) {
  const [query, change] = useQueryState()
  const selected = query.get('tab') === 'activity' ? 'activity' : 'holdings'
  const holdings = useHoldings(address)
  const activities = useActivities(address)
  usePortfolioEvents(address, holdings)
  return (
    <>
      <Totals address={address} />
      <Tabs
        label="Positions and activity"
        tabs={tabs}
        selected={selected}
        onSelect={(name) => change({ tab: name === 'holdings' ? undefined : name })}
      >
        {selected === 'holdings' ? <Holdings list={holdings} empty={empty} /> : <Activities list={activities} />}
      </Tabs>
    </>
  )
}

// A wallet that holds nothing and has neither won nor lost would show nothing but zeros.
function isUntouched({ positions, profitBNB }: { positions: number; profitBNB: string }): boolean {
  return positions === 0 && profitBNB === '0'
}

function Totals({ address }: { address: WalletAddress }) {
  const { data, error, refetch } = usePortfolio(address)
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={4} label="Loading the portfolio" />
  if (isUntouched(data)) return null
  return (
    <>
      <Summary portfolio={data} />
      <ValueChart address={address} />
    </>
  )
}
