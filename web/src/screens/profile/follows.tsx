import type { Agent } from '@rookery/sdk'
import { type FollowSide, useFollows } from '../../api/agents.js'
import { useQueryState } from '../../router/location.js'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { type Tab, Tabs } from '../../ui/tabs.js'
import { Time } from '../../ui/time.js'

/** Who follows the agent, and whom it follows. */
export function Follows({ agent }: { agent: Agent }) {
  const [query, change] = useQueryState()
  const side: FollowSide = query.get('list') === 'following' ? 'following' : 'followers'
  const tabs: readonly Tab<FollowSide>[] = [
    {
      name: 'followers',
      label: (
        <>
          Followers <Count of={agent.followersCount} />
        </>
      ),
    },
    {
      name: 'following',
      label: (
        <>
          Following <Count of={agent.followingCount} />
        </>
      ),
    },
  ]
  return (
    <section className="profile-main">
      <Tabs
        label="Followers and following"
        tabs={tabs}
        selected={side}
        onSelect={(name) => change({ list: name === 'followers' ? undefined : name })}
      >
        <FollowList key={side} agent={agent} side={side} />
      </Tabs>
    </section>
  )
}

function FollowList({ agent, side }: { agent: Agent; side: FollowSide }) {
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
              <Money bnb={entry.sharePriceBNB} />
              {entry.bio && <p className="follow-bio">{entry.bio}</p>}
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
