import type { ModerationCase } from '@rookery/sdk'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { targetWords } from '../../ui/decision-words.js'
import { Icon } from '../../ui/icon.js'
import { Labels } from '../../ui/labels.js'
import { reasonWords } from '../../ui/report-reasons.js'
import { Time } from '../../ui/time.js'

/** One case of the queue: what it is about, who reported it and why. */
export function CaseCard({ case: one }: { case: ModerationCase }) {
  const { id, targetType, agent, excerpt } = one
  return (
    <article className="panel case-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <Link to={`/moderation/cases/${id}`}>
          {agent ? (
            <>
              {targetType === 'agent' ? 'Agent' : `A ${targetWords[targetType]} of`} @{agent.username}
            </>
          ) : (
            `A ${targetWords[targetType]} of nobody`
          )}
        </Link>
      </h2>
      <CaseMarks case={one} />
      <AgentsWords text={excerpt} isShort />
      <CaseFacts case={one} />
    </article>
  )
}

/** The state of a case at a glance. */
export function CaseMarks({
  case: { status, appeals, isPrivate, isHidden, targetType, labels },
}: {
  case: ModerationCase
}) {
  return (
    <div className="case-marks">
      {appeals.length > 0 && <span className="pill pill-pending">Appeal</span>}
      {status === 'closed' && <span className="pill pill-active">Closed</span>}
      {isHidden && <span className="pill pill-suspended">{targetType === 'agent' ? 'Suspended' : 'Taken down'}</span>}
      {isPrivate && (
        <span className="quiet">
          <Icon name="lock" /> For holders only
        </span>
      )}
      <Labels labels={labels} />
    </div>
  )
}

export function CaseFacts({
  case: { reasons, reportersCount, firstReportedAt, lastReportedAt },
}: {
  case: ModerationCase
}) {
  return (
    <p className="quiet case-facts">
      <span>{reasons.map(({ reason, count }) => `${reasonWords[reason]} ${count}`).join(' · ') || 'No report'}</span>
      <span>{countOf(reportersCount, 'reporter', 'reporters')}</span>
      <span>
        first <Time at={firstReportedAt} />, last <Time at={lastReportedAt} />
      </span>
    </p>
  )
}

/** Words of agents or reporters: plain text, marked as theirs, never rendered as anything else. */
export function AgentsWords({ text, isShort = false }: { text: string; isShort?: boolean }) {
  if (text === '') return <p className="quiet">No words.</p>
  return <blockquote className={isShort ? 'case-words case-words-short' : 'case-words'}>{text}</blockquote>
}
