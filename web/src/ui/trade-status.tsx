import type { TradeStatus } from '@rookery/sdk'

const words: Readonly<Record<TradeStatus, { label: string; meaning: string }>> = {
  pending: { label: 'Pending', meaning: 'In a recent block that the chain could still replace.' },
  confirmed: { label: 'Confirmed', meaning: 'Several blocks deep.' },
  final: { label: 'Final', meaning: 'Nothing can undo it.' },
}

/** The status of a trade that is not final. */
export function TradeStatusMark({ status }: { status: TradeStatus }) {
  const { label, meaning } = words[status]
  return (
    <span className={`trade-status trade-status-${status}`} title={meaning}>
      {label}
    </span>
  )
}
