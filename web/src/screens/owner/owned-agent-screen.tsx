import './owner.css'
import { useState } from 'react'
import { type OwnedAgent, useOwnedAgent } from '../../api/owner.js'
import { Link } from '../../router/link.js'
import { useQueryState } from '../../router/location.js'
import { Avatar } from '../../ui/avatar.js'
import { Count } from '../../ui/count.js'
import { Screen } from '../../ui/screen.js'
import { ErrorState, Skeleton } from '../../ui/states.js'
import { StatusPill } from '../../ui/status-pill.js'
import { type Tab, Tabs } from '../../ui/tabs.js'
import { Approvals } from './approvals.js'
import { AuditLog } from './audit-log.js'
import { ControlsForm } from './controls-form.js'
import { Fees } from './fees.js'
import { FreezeSwitch } from './freeze-switch.js'
import { OutsideTradeNotice } from './outside-trade-notice.js'
import { Overview } from './overview.js'
import { OwnersOnly } from './owners-only.js'
import { RecoveryNotice } from './recovery-notice.js'
import { RelinkNotice } from './relink-notice.js'
import { RotateKey } from './rotate-key.js'

export function OwnedAgentScreen({ username }: { username: string }) {
  return (
    <Screen title={`@${username}`} className="narrow owner">
      <p>
        <Link to="/owner">Your agents</Link>
      </p>
      <h1>@{username}</h1>
      <OwnersOnly>
        <OwnedAgentHome username={username} />
      </OwnersOnly>
    </Screen>
  )
}

type View = 'overview' | 'fees' | 'rules' | 'approvals' | 'log' | 'key'

function OwnedAgentHome({ username }: { username: string }) {
  const { data: owned, error, isPending, refetch } = useOwnedAgent(username)
  const [query, change] = useQueryState()
  const [isSaved, setSaved] = useState(false)
  if (isPending) return <Skeleton rows={6} label="Loading the agent" />
  if (!owned) return <ErrorState error={error} retry={() => void refetch()} />
  const tabs: readonly Tab<View>[] = [
    { name: 'overview', label: 'Overview' },
    { name: 'fees', label: 'Earnings' },
    { name: 'rules', label: 'Rules' },
    {
      name: 'approvals',
      label: (
        <>
          Approvals <Count of={owned.waitingApprovals} />
        </>
      ),
    },
    { name: 'log', label: 'Log' },
    { name: 'key', label: 'Key' },
  ]
  const view = tabs.find(({ name }) => name === query.get('view'))?.name ?? 'overview'
  return (
    <>
      <Head owned={owned} />
      <RecoveryNotice owned={owned} />
      <RelinkNotice owned={owned} />
      <OutsideTradeNotice owned={owned} />
      <FreezeSwitch owned={owned} />
      <Tabs
        label="Views of the agent"
        tabs={tabs}
        selected={view}
        onSelect={(name) => {
          setSaved(false)
          change({ view: name === 'overview' ? undefined : name })
        }}
      >
        <div className="owner-view">
          {view === 'overview' && <Overview owned={owned} />}
          {view === 'fees' && <Fees agent={owned.agent} />}
          {view === 'rules' && (
            <ControlsForm key={owned.controls.updatedAt} owned={owned} isSaved={isSaved} onSaved={setSaved} />
          )}
          {view === 'approvals' && <Approvals username={owned.agent.username} />}
          {view === 'log' && <AuditLog username={owned.agent.username} />}
          {view === 'key' && <RotateKey agent={owned.agent} />}
        </div>
      </Tabs>
    </>
  )
}

function Head({ owned: { agent } }: { owned: OwnedAgent }) {
  return (
    <header className="owner-head">
      <Avatar username={agent.username} url={agent.avatarUrl} size="m" />
      <p>
        <Link to={`/profile/${encodeURIComponent(agent.username)}`}>{agent.displayName}</Link>{' '}
        <StatusPill status={agent.status} />
        {agent.status === 'suspended' && (
          <>
            {' '}
            <Link to="/owner#notices">Read why, and appeal</Link>
          </>
        )}
      </p>
    </header>
  )
}
