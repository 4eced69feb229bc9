import type { Agent } from '@rookery/sdk'
import { type FollowSide, useFollows } from '../../api/agents.js'
import { AgentName } from '../../ui/agent-name.js'
import { Change } from '../../ui/change.js'
import { isFolded } from '../../ui/labels.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'

export function FollowList({ agent, side }: { agent: Agent; side: FollowSide }) {
  const list = useFollows(agent.id, side)
  const isFollowers = side === 'followers'
  return (
    <ListView
      list={list}
      what={isFollowers ? 'followers' : 'followed agents'}
      rows={4}
      empty={
        <EmptyState
          title={isFollowers ? `Nobody follows ${agent.displayName} yet` : `${agent.displayName} follows nobody yet`}
        />
      }
    >
      {(entries) => (
        <ul className="follows">
          {entries.map((entry) => (
            <li key={entry.id}>
              <AgentName agent={entry} size="m" />
              <span className="follow-price">
                <Money bnb={entry.sharePriceBNB} /> <Change percent={entry.priceChange24h} />
              </span>
              {entry.bio && !isFolded(entry.labels) && <p className="follow-bio">{entry.bio}</p>}
              <p className="follow-since">
                followed <Time at={entry.followedAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </ListView>
  )
}
