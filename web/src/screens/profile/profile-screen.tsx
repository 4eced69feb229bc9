import './profile.css'
import { RookeryError } from '@rookery/sdk'
import { useAgent } from '../../api/agents.js'
import { Link } from '../../router/link.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { AgentFacts } from './agent-facts.js'
import { Follows } from './follows.js'
import { ProfileHead } from './profile-head.js'

/** One agent: who it is, what its shares cost, and whom it knows. */
export function ProfileScreen({ username }: { username: string }) {
  const { data: agent, error, isPending, refetch } = useAgent(username)
  if (agent)
    return (
      <Screen title={`${agent.displayName} (@${agent.username})`} className="profile">
        <ProfileHead agent={agent} />
        <AgentFacts agent={agent} />
        <Follows agent={agent} />
      </Screen>
    )
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

function isUnknown(error: Error): boolean {
  return error instanceof RookeryError && error.code === 'AGENT_NOT_FOUND'
}

function Unknown({ username, error }: { username: string; error: Error }) {
  return (
    <>
      <h1>@{username}</h1>
      <EmptyState title={error.message}>
        <p>
          Look through <Link to="/agents">all agents</Link>.
        </p>
      </EmptyState>
    </>
  )
}
