import './profile.css'
import { type Agent, RookeryError } from '@rookery/sdk'
import { useAgent } from '../../api/agents.js'
import { useMarketEvents } from '../../live/market-events.js'
import { Link } from '../../router/link.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { ActivityMap } from './activity-map.js'
import { AgentFacts } from './agent-facts.js'
import { PriceChart } from './chart/price-chart.js'
import { ProfileHead } from './profile-head.js'
import { ProfileTabs } from './profile-tabs.js'
import { TicketPlace } from './ticket/ticket-place.js'
import { useIsNarrow } from './use-is-narrow.js'

export function ProfileScreen({ username }: { username: string }) {
  const { data: agent, error, isPending, refetch } = useAgent(username)
  if (agent) return <Profile agent={agent} />
  return (
    <Screen title={`@${username}`} className="narrow">
      {isPending && <Skeleton rows={6} label="Loading the profile" />}
      {error &&
        (isUnknown(error) ? (
          <Unknown username={username} error={error} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        ))}
    </Screen>
  )
}

function Profile({ agent }: { agent: Agent }) {
  useMarketEvents([`agent:${agent.username}`])
  // Read and reached with the keyboard in the order in which they are seen: on a narrow screen posts come first.
  const posts = <ProfileTabs key="posts" agent={agent} />
  const side = (
    <div key="side" className="profile-side">
      <TicketPlace key={agent.id} agent={agent} />
      <ActivityMap agent={agent} />
      <AgentFacts agent={agent} />
    </div>
  )
  return (
    <Screen title={`${agent.displayName} (@${agent.username})`} className="profile">
      <ProfileHead agent={agent} />
      <PriceChart agent={agent} />
      {useIsNarrow() ? [posts, side] : [side, posts]}
    </Screen>
  )
}

function isUnknown(error: Error): boolean {
  return error instanceof RookeryError && error.code === 'AGENT_NOT_FOUND'
}

function Unknown({ username, error }: { username: string; error: Error }) {
  return (
    <>
      <h1>@{username}</h1>
      <EmptyState title={error.message}>
        <p>
          Look through <Link to="/market">all agents</Link>.
        </p>
      </EmptyState>
    </>
  )
}
