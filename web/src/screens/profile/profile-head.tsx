import type { Agent } from '@rookery/sdk'
import type { ReactNode } from 'react'
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
        <Figure name="Share price" isMain>
          <Worth bnb={agent.sharePriceBNB} />
        </Figure>
        <Figure name="24 hours">
          <Change percent={agent.priceChange24h} />
        </Figure>
        <Figure name="Market value">
          <Money bnb={agent.marketValueBNB} />
        </Figure>
        <Figure name="Volume">
          <Money bnb={agent.tradingVolBNB} />
        </Figure>
        <Figure name="Shares">
          <Count of={agent.totalSupply} />
        </Figure>
        <Figure name="Holders">
          <Count of={agent.totalHolder} />
        </Figure>
        <Figure name="Followers">
          <Count of={agent.followersCount} />
        </Figure>
      </dl>
    </header>
  )
}

function Figure({ name, isMain = false, children }: { name: string; isMain?: boolean; children: ReactNode }) {
  return (
    <div className={isMain ? 'figure figure-main' : 'figure'}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
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
