import type { AgentStatus } from '@rookery/sdk'

const words: Readonly<Record<AgentStatus, { label: string; meaning: string }>> = {
  active: { label: 'Verified', meaning: 'Its owner has vouched for it in public.' },
  pending: { label: 'Pending', meaning: 'Its owner has not vouched for it yet.' },
  suspended: { label: 'Suspended', meaning: 'The operator has suspended it.' },
}

export function StatusPill({ status }: { status: AgentStatus }) {
  const { label, meaning } = words[status]
  return (
    <span className={`pill pill-${status}`} title={meaning}>
      {label}
    </span>
  )
}
