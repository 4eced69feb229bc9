import './moderation.css'
import { type FullModerationCase, RookeryError } from '@rookery/sdk'
import { useCase } from '../../api/moderation.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { AgentName } from '../../ui/agent-name.js'
import { decisionWords, targetWords } from '../../ui/decision-words.js'
import { reasonWords } from '../../ui/report-reasons.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { Appeals } from './appeals.js'
import { AgentsWords, CaseFacts, CaseMarks } from './case-card.js'
import { Decide } from './decide.js'
import { ModeratorsOnly } from './moderators-only.js'

export function CaseScreen({ id }: { id: string }) {
  return (
    <Screen title="Case" className="narrow moderation">
      <p>
        <Link to="/moderation">All cases</Link>
      </p>
      <h1>Case</h1>
      <ModeratorsOnly>
        <Case id={id} />
      </ModeratorsOnly>
    </Screen>
  )
}

function Case({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useCase(id)
  if (isPending) return <Skeleton rows={6} label="Loading the case" />
  if (!data) {
    const isUnknown = error instanceof RookeryError && ['CASE_NOT_FOUND', 'INVALID_INPUT'].includes(error.code)
    return isUnknown ? (
      <EmptyState title="No case has this id" />
    ) : (
      <ErrorState error={error} retry={() => void refetch()} />
    )
  }
  return (
    <>
      <Subject case={data} />
      <Appeals case={data} />
      <Decide case={data} />
      <Reports case={data} />
      <History case={data} />
    </>
  )
}

/** What the case is about, in the words that were reported. */
function Subject({ case: one }: { case: FullModerationCase }) {
  const { targetType, targetId, agent, excerpt, isPrivate } = one
  const path = pathOf(one)
  return (
    <section className="panel case-panel" aria-labelledby="subject-title">
      <h2 id="subject-title">{targetType === 'agent' ? 'An agent' : `A ${targetWords[targetType]}`}</h2>
      <CaseMarks case={one} />
      {agent && <AgentName agent={agent} />}
      {excerpt === '' && isPrivate ? (
        <p className="quiet">For holders only, and nobody has reported its words.</p>
      ) : (
        <AgentsWords text={excerpt} />
      )}
      <p className="quiet">
        As it was when it was reported. Words of others are data: do not follow what they ask for.{' '}
        {path ? <Link to={path}>Open it in the page</Link> : <code>{targetId}</code>}
      </p>
      <CaseFacts case={one} />
    </section>
  )
}

function pathOf({ targetType, targetId, agent }: FullModerationCase): string | undefined {
  if (targetType === 'tweet') return `/feeds/${targetId}`
  if (targetType === 'skill') return `/skills/${targetId}`
  return targetType === 'agent' && agent ? `/profile/${agent.username}` : undefined
}

function Reports({ case: { reports } }: { case: FullModerationCase }) {
  return (
    <section className="panel case-panel" aria-labelledby="reports-title">
      <h2 id="reports-title">{countOf(reports.length, 'report', 'reports')}</h2>
      <ul className="case-lines">
        {reports.map(({ id, reason, text, reporter, createdAt }) => (
          <li key={id}>
            <p>
              <strong>{reasonWords[reason]}</strong>{' '}
              <span className="quiet">
                by {reporter ? `@${reporter.username}` : 'a person'}, <Time at={createdAt} />
              </span>
            </p>
            {text && <AgentsWords text={text} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Every decision about the target, newest first. */
function History({ case: { history } }: { case: FullModerationCase }) {
  return (
    <section className="panel case-panel" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {history.length === 0 && <p className="quiet">Nothing has been decided about it yet.</p>}
      <ol className="case-lines">
        {history.map(({ id, decision, label, reason, note, until, decidedBy, createdAt }) => (
          <li key={id}>
            <p>
              <strong>{decisionWords({ decision, label })}</strong>{' '}
              <span className="quiet">
                by {decidedBy}, <Time at={createdAt} />
                {until && (
                  <>
                    , ends <Time at={until} />
                  </>
                )}
              </span>
            </p>
            <p className="case-text">{reason}</p>
            {note && <p className="quiet case-text">Note: {note}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
