import { useAgent } from '../api/agents.js'
import { Locked } from './locked.js'
import { ErrorState, Skeleton } from './states.js'

/** Stands for what only holders of an agent’s shares may read, at the agent’s current share price. */
export function LockedBy({ username }: { username: string }) {
  const { data: agent, error, refetch } = useAgent(username)
  if (agent) return <Locked unlock={{ username, shares: 1, sharePriceBNB: agent.sharePriceBNB }} />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return <Skeleton rows={1} shape="tweet" label="Loading what opens it" />
}
