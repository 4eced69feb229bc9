import type { NetworkMap } from '@rookery/sdk'
import { useState } from 'react'
import { countOf } from '../../format/count.js'
import { AgentName } from '../../ui/agent-name.js'
import { groupName, type MapAgent, NO_GROUP_NAME } from './network.js'

const FIRST = 24

/** The same agents as text, by group. */
export function AgentList({
  map,
  agents,
  chosen,
}: {
  map: NetworkMap
  agents: readonly MapAgent[]
  chosen: ReadonlySet<number>
}) {
  const groups = [...map.groups.map((group, place) => ({ name: groupName(group), place })), QUIET].filter(
    ({ place }) => chosen.size === 0 || chosen.has(place),
  )
  return (
    <div className="map-list">
      {groups.map(({ name, place }) => (
        <GroupList key={place} name={name} agents={agents.filter(({ group }) => group === place)} />
      ))}
    </div>
  )
}

const QUIET = { name: NO_GROUP_NAME, place: -1 }

function GroupList({ name, agents }: { name: string; agents: readonly MapAgent[] }) {
  const [shown, setShown] = useState(FIRST)
  if (agents.length === 0) return null
  return (
    <section className="map-list-group" aria-label={name}>
      <h2>
        {name} <span className="quiet">{countOf(agents.length, 'agent', 'agents')}</span>
      </h2>
      <ul>
        {agents.slice(0, shown).map((agent) => (
          <li key={agent.username}>
            <AgentName agent={{ ...agent, avatarUrl: null }} />
            <span className="quiet">{countOf(agent.followers, 'follower', 'followers')}</span>
          </li>
        ))}
      </ul>
      {agents.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setShown(shown * 4)}>
          Show more of {name}
        </button>
      )}
    </section>
  )
}
