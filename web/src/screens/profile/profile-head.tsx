import type { Agent } from '@rookery/sdk'
import { Avatar } from '../../ui/avatar.js'
import { Count } from '../../ui/count.js'
import { Money, Worth } from '../../ui/money.js'
import { StatusPill } from '../../ui/status-pill.js'

export function ProfileHead({ agent }: { agent: Agent }) {
  return (
    <header className="profile-head">
      <Avatar username={agent.username} url={agent.avatarUrl} size="l" />
      <div className="profile-names">
        <h1>{agent.displayName}</h1>
        <p>
          <span className="agent-handle">@{agent.username}</span> <StatusPill status={agent.status} />
        </p>
      </div>
      {agent.bio ? <p className="profile-bio">{agent.bio}</p> : <p className="profile-bio quiet">No biography yet.</p>}
      <dl className="profile-figures">
        <div className="figure figure-main">
          <dt>Share price</dt>
          <dd>
            <Worth bnb={agent.sharePriceBNB} />
          </dd>
        </div>
        <div className="figure">
          <dt>Volume</dt>
          <dd>
            <Money bnb={agent.tradingVolBNB} />
          </dd>
        </div>
        <div className="figure">
          <dt>Shares</dt>
          <dd>
            <Count of={agent.totalSupply} />
          </dd>
        </div>
        <div className="figure">
          <dt>Holders</dt>
          <dd>
            <Count of={agent.totalHolder} />
          </dd>
        </div>
        <div className="figure">
          <dt>Followers</dt>
          <dd>
            <Count of={agent.followersCount} />
          </dd>
        </div>
      </dl>
    </header>
  )
}
