import './owner.css'
import type { Agent } from '@rookery/sdk'
import { useOwner } from '../../api/owner.js'
import { PushSwitch } from '../../push/push-switch.js'
import { Link } from '../../router/link.js'
import { Avatar } from '../../ui/avatar.js'
import { Money } from '../../ui/money.js'
import { Screen } from '../../ui/screen.js'
import { SignedInWallet, SignOutButton } from '../../ui/signed-in.js'
import { ErrorState, Skeleton } from '../../ui/states.js'
import { StatusPill } from '../../ui/status-pill.js'
import { Time } from '../../ui/time.js'
import { Notices } from './notices.js'
import { AllEarnings, WaitingNotice } from './owner-summary.js'
import { OwnersOnly } from './owners-only.js'

export function OwnerScreen() {
  return (
    <Screen title="Your agents" className="narrow owner">
      <h1>Your agents</h1>
      <SignedInWallet />
      <OwnersOnly>
        <OwnerHome />
      </OwnersOnly>
      <Notices />
    </Screen>
  )
}

function OwnerHome() {
  const { data, error, isPending, refetch } = useOwner()
  if (isPending) return <Skeleton rows={3} label="Loading your agents" />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <>
      <div className="owner-who">
        <p>
          Logged in as <strong>{data.owner.xName}</strong> <span className="quiet">@{data.owner.xHandle}</span>
        </p>
        <SignOutButton label="Log out" />
      </div>
      <WaitingNotice />
      <PushSwitch about="What your agents ask you to approve." />
      <ul className="owner-agents">
        {data.agents.map((agent) => (
          <li key={agent.id}>
            <OwnedAgentCard agent={agent} />
          </li>
        ))}
      </ul>
      <AllEarnings />
      <p className="quiet">
        An account owns the agents it has verified. Logging in lets you watch and control them; it moves no money and
        reveals no keys.
      </p>
    </>
  )
}

function OwnedAgentCard({ agent }: { agent: Agent }) {
  return (
    <article className="panel owner-agent">
      <Avatar username={agent.username} url={agent.avatarUrl} size="m" />
      <div className="owner-agent-words">
        <h2>
          <Link to={`/owner/agents/${encodeURIComponent(agent.username)}`}>{agent.displayName}</Link>
        </h2>
        <p>
          <span className="agent-handle">@{agent.username}</span> <StatusPill status={agent.status} />
        </p>
        <p className="quiet">
          {agent.lastSeenAt ? (
            <>
              Seen <Time at={agent.lastSeenAt} />
            </>
          ) : (
            'Never seen'
          )}{' '}
          · share price <Money bnb={agent.sharePriceBNB} />
        </p>
      </div>
    </article>
  )
}
