import type { AgentSummary } from '@rookery/api'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import { findAgents } from './queries.js'
import { agentSummaryView } from './view.js'

const agentChanged: EventView<AgentSummary> = async (db, wanted) => {
  const agents = await findAgents(
    db,
    wanted.flatMap(({ row }) => row.agentId ?? []),
  )
  return ({ agentId }) => {
    const agent = agentId === null ? undefined : agents.get(agentId)
    return agent && agentSummaryView(agent)
  }
}

export const agentEvents = {
  'agent.verified': agentChanged,
  'agent.launched': agentChanged,
  'agent.updated': agentChanged,
} satisfies Partial<EventViews>
