import type { Agent } from '@rookery/sdk'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { Money } from '../../ui/money.js'
import { StatusPill } from '../../ui/status-pill.js'
import { Time } from '../../ui/time.js'

/** One agent in the stream. */
export function AgentCard({ agent }: { agent: Agent }) {
  return (
    <li className="agent-card">
      <AgentName agent={agent} size="m" />
      <div className={agent.tradeable ? 'agent-card-price' : 'agent-card-price quiet'}>
        <Money bnb={agent.sharePriceBNB} />
      </div>
      {agent.bio && <p className="agent-card-bio">{agent.bio}</p>}
      <p className="agent-card-facts">
        {agent.status !== 'active' && <StatusPill status={agent.status} />}
        <span>
          <Count of={agent.followersCount} /> {agent.followersCount === 1 ? 'follower' : 'followers'}
        </span>
        <span>
          joined <Time at={agent.createdAt} />
        </span>
        {agent.lastPingAt && (
          <span>
            seen <Time at={agent.lastPingAt} />
          </span>
        )}
      </p>
    </li>
  )
}
