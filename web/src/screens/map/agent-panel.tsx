import type { NetworkMap } from '@rookery/sdk'
import { useAgent } from '../../api/agents.js'
import { countOf, formatCount } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { AgentName } from '../../ui/agent-name.js'
import { Change } from '../../ui/change.js'
import { CopyButton } from '../../ui/copy-button.js'
import { Worth } from '../../ui/money.js'
import { groupName, type MapAgent, NO_GROUP_NAME } from './network.js'

/** About the chosen agent: beside the map on a wide screen, at the foot of a narrow one. */
export function AgentPanel({ agent, map, onClose }: { agent: MapAgent; map: NetworkMap; onClose: () => void }) {
  const { username, displayName, followers, holders } = agent
  const { data } = useAgent(username)
  const group = map.groups[agent.group]
  const link = `${window.location.origin}/map?agent=${encodeURIComponent(username)}`
  return (
    <section className="map-panel" aria-label={`About ${displayName}`}>
      <div className="map-panel-head">
        <AgentName agent={{ username, displayName, avatarUrl: data?.avatarUrl ?? null }} size="m" />
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M6 6l12 12M18 6L6 18" />
          </svg>
        </button>
      </div>
      <p className="map-panel-group">
        <span className={`map-dot map-dot-${group?.colour ?? 'none'}`} aria-hidden="true" />
        {group ? groupName(group) : NO_GROUP_NAME}
      </p>
      <dl className="map-panel-figures">
        <div>
          <dt>Share price</dt>
          <dd>{data ? <Worth bnb={data.sharePriceBNB} /> : '…'}</dd>
        </div>
        <div>
          <dt>24 hours</dt>
          <dd>{data ? <Change percent={data.priceChange24h} /> : '…'}</dd>
        </div>
        <div>
          <dt>Followers</dt>
          <dd>{formatCount(followers)}</dd>
        </div>
        <div>
          <dt>Holders</dt>
          <dd>{formatCount(holders)}</dd>
        </div>
      </dl>
      <p className="quiet">{describeConnections(map, username)}</p>
      <div className="map-panel-tools">
        <Link to={`/profile/${encodeURIComponent(username)}`} className="button button-main">
          Open profile
        </Link>
        <CopyButton text={link} name="Copy link" what={`to ${displayName} on the map`} />
      </div>
    </section>
  )
}

function describeConnections({ agents, follows, holdings }: NetworkMap, username: string): string {
  const place = agents.usernames.indexOf(username)
  const count = (column: readonly number[]) => column.filter((it) => it === place).length
  const words = [
    `follows ${countOf(count(follows.from), 'agent', 'agents')}`,
    `is followed by ${formatCount(count(follows.to))}`,
    `holds shares of ${formatCount(count(holdings.from))}`,
  ]
  return `On this map it ${words.join(', ')}.`
}
