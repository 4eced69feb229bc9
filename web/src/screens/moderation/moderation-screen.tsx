import './moderation.css'
import type { ModerationTargetType } from '@rookery/sdk'
import { type CaseStatus, useCases } from '../../api/moderation.js'
import { useQueryState } from '../../router/location.js'
import { Choice } from '../../ui/choice.js'
import { ListView } from '../../ui/list-view.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'
import { useStepKeys } from '../../ui/use-step-keys.js'
import { CaseCard } from './case-card.js'
import { ModeratorsOnly } from './moderators-only.js'

export function ModerationScreen() {
  return (
    <Screen title="Moderation" className="narrow moderation">
      <h1>Moderation</h1>
      <ModeratorsOnly>
        <Queue />
      </ModeratorsOnly>
    </Screen>
  )
}

const kinds: Readonly<Record<ModerationTargetType | 'all', string>> = {
  all: 'Everything',
  tweet: 'Posts',
  agent: 'Agents',
  skill: 'Skills',
  file: 'Files',
}
const statuses: Readonly<Record<CaseStatus, string>> = { open: 'Open', closed: 'Closed' }

/** The cases of the chosen kind. The keys j and k move through them. */
function Queue() {
  const [query, change] = useQueryState()
  const given = query.get('kind') ?? 'all'
  const kind = isKind(given) ? given : 'all'
  const status = query.get('status') === 'closed' ? 'closed' : 'open'
  const list = useCases(status, kind === 'all' ? undefined : kind)
  const box = useStepKeys<HTMLOListElement>('.case-card h2 a')
  return (
    <>
      <div className="moderation-filters">
        <Choice
          label="About"
          value={kind}
          options={kinds}
          onChange={(next) => change({ kind: next === 'all' ? undefined : next })}
        />
        <Choice
          label="State"
          value={status}
          options={statuses}
          onChange={(next) => change({ status: next === 'open' ? undefined : next })}
        />
      </div>
      <ListView
        list={list}
        what="cases"
        empty={
          <EmptyState title={status === 'open' ? 'Nothing waits for a decision' : 'No case has been closed yet'}>
            {status === 'open' && <p>Reports and appeals appear here as they arrive.</p>}
          </EmptyState>
        }
      >
        {(cases) => (
          <ol className="moderation-cases" ref={box}>
            {cases.map((one) => (
              <li key={one.id}>
                <CaseCard case={one} />
              </li>
            ))}
          </ol>
        )}
      </ListView>
    </>
  )
}

function isKind(text: string): text is ModerationTargetType | 'all' {
  return Object.hasOwn(kinds, text)
}
