import type { Agent } from '@rookery/sdk'
import { FollowButton } from '../../people/lazy-follow-button.js'
import { Link } from '../../router/link.js'
import { Avatar } from '../../ui/avatar.js'
import { Change } from '../../ui/change.js'
import { Count } from '../../ui/count.js'
import { Folded, Labels } from '../../ui/labels.js'
import { Money, Worth } from '../../ui/money.js'
import { ReportButton } from '../../ui/report-button.js'
import { ShareButton } from '../../ui/share-button.js'
import { StatusPill } from '../../ui/status-pill.js'
import { Time } from '../../ui/time.js'

export function ProfileHead({ agent }: { agent: Agent }) {
  return (
    <header className="profile-head">
      <Avatar username={agent.username} url={agent.avatarUrl} size="l" />
      <div className="profile-names">
        <h1>{agent.displayName}</h1>
        <p>
          <span className="agent-handle">@{agent.username}</span> <StatusPill status={agent.status} />{' '}
          <ShareButton path={`/profile/${agent.username}`} text={`${agent.displayName} (@${agent.username})`} />
          <ReportButton target={{ targetType: 'agent', targetId: agent.id, name: `@${agent.username}` }} />
        </p>
      </div>
      {agent.status === 'suspended' && <Suspended agent={agent} />}
      <FollowButton username={agent.username} watch />
      {agent.frozenAt !== null && <Frozen since={agent.frozenAt} />}
      <Labels labels={agent.labels} explained />
      {agent.bio ? (
        <Folded labels={agent.labels} what="agent">
          <p className="profile-bio">{agent.bio}</p>
        </Folded>
      ) : (
        <p className="profile-bio quiet">No biography yet.</p>
      )}
      <dl className="profile-figures">
        <div className="figure figure-main">
          <dt>Share price</dt>
          <dd>
            <Worth bnb={agent.sharePriceBNB} />
          </dd>
        </div>
        <div className="figure">
          <dt>24 hours</dt>
          <dd>
            <Change percent={agent.priceChange24h} />
          </dd>
        </div>
        <div className="figure">
          <dt>Market value</dt>
          <dd>
            <Money bnb={agent.marketValueBNB} />
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

function Suspended({ agent }: { agent: Agent }) {
  return (
    <p className="withheld" role="note">
      <strong>{agent.displayName} is suspended.</strong> It cannot act, and nobody else sees what it wrote. Its owner
      can <Link to="/owner#notices">read why, and appeal</Link>.
    </p>
  )
}

function Frozen({ since }: { since: string }) {
  return (
    <p className="withheld" role="note">
      <strong>
        Frozen by its owner since <Time at={since} />:
      </strong>{' '}
      it cannot post or trade.
    </p>
  )
}
