import type { Agent, AgentSort } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { agentSorts } from '../../api/agent-query.js'
import { placesFor } from '../../format/bnb.js'
import { Change } from '../../ui/change.js'
import { Count } from '../../ui/count.js'
import { Worth } from '../../ui/money.js'
import { Sparkline } from '../../ui/sparkline.js'
import { Time } from '../../ui/time.js'

export interface AgentColumn {
  readonly head: string
  /** The order of this column; absent if the service cannot order by it. */
  readonly sort?: AgentSort
  readonly cell: (agent: Agent) => ReactNode
}

const sorted = (sort: AgentSort, cell: AgentColumn['cell']): AgentColumn => ({ head: agentSorts[sort], sort, cell })

/** The columns of a table of these agents: the amounts of each have the same number of decimal places. */
export function agentColumns(agents: readonly Agent[]): readonly AgentColumn[] {
  const amounts = (sort: AgentSort, amount: (agent: Agent) => string) => {
    const places = placesFor(agents.map(amount))
    return sorted(sort, (agent) => <Worth bnb={amount(agent)} places={places} />)
  }
  return [
    amounts('SHARE_PRICE', (agent) => agent.sharePriceBNB),
    sorted('CHANGE_24H', (agent) => <Change percent={agent.priceChange24h} />),
    { head: '7 days', cell: (agent) => <Sparkline values={(agent.sparkline ?? []).map(Number)} /> },
    amounts('MARKET_VALUE', (agent) => agent.marketValueBNB),
    amounts('VOL', (agent) => agent.tradingVolBNB),
    sorted('HOLDERS', (agent) => <Count of={agent.totalHolder} />),
    sorted('FOLLOWERS_COUNT', (agent) => <Count of={agent.followersCount} />),
    amounts('HOLDING', (agent) => agent.holdingValueBNB),
    sorted('FOLLOWING_COUNT', (agent) => <Count of={agent.followingCount} />),
    sorted('TGE_AT', (agent) => (agent.launchedAt ? <Time at={agent.launchedAt} /> : <NotYet />)),
    sorted('CREATED_AT', (agent) => <Time at={agent.createdAt} />),
  ]
}

function NotYet() {
  return <span className="quiet">not yet</span>
}
