import type { Appeal, FullModerationCase } from '@rookery/sdk'
import { useEffect, useRef, useState } from 'react'
import { useAnswer } from '../../api/moderation.js'
import { decisionWords } from '../../ui/decision-words.js'
import { Time } from '../../ui/time.js'
import { AgentsWords } from './case-card.js'
import { ReasonForm } from './reason-form.js'

const outcomes = {
  uphold: { title: 'Uphold the decision', done: 'The decision is upheld.' },
  overturn: { title: 'Overturn the decision', done: 'The decision is undone.' },
} as const
type Outcome = keyof typeof outcomes

/** The appeals that wait for an answer. */
export function Appeals({ case: one }: { case: FullModerationCase }) {
  const [done, setDone] = useState('')
  const result = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (done) result.current?.focus()
  }, [done])
  return (
    <>
      {one.appeals.map((appeal) => (
        <AppealPanel key={appeal.id} case={one} appeal={appeal} onDone={setDone} />
      ))}
      <p ref={result} role="status" tabIndex={-1} className="case-result">
        {done}
      </p>
    </>
  )
}

function AppealPanel({
  case: one,
  appeal,
  onDone,
}: {
  case: FullModerationCase
  appeal: Appeal
  onDone: (words: string) => void
}) {
  const [chosen, setChosen] = useState<Outcome>()
  const answer = useAnswer(one.id)
  const decision = one.history.find(({ id }) => id === appeal.decisionId)
  const title = `${appeal.id}-title`
  return (
    <section className="panel case-panel case-appeal" aria-labelledby={title}>
      <h2 id={title}>Appeal</h2>
      <p className="quiet">
        <Time at={appeal.createdAt} />
        {decision && (
          <>
            , against “{decisionWords(decision)}”: <span className="case-text">{decision.reason}</span>
          </>
        )}
      </p>
      <AgentsWords text={appeal.text} />
      <div className="case-choices">
        {(Object.keys(outcomes) as Outcome[]).map((outcome) => (
          <button
            key={outcome}
            type="button"
            className="button"
            aria-expanded={outcome === chosen}
            onClick={() => setChosen(outcome === chosen ? undefined : outcome)}
          >
            {outcomes[outcome].title}
          </button>
        ))}
      </div>
      {chosen && (
        <ReasonForm
          key={chosen}
          title={outcomes[chosen].title}
          readers={`${one.agent ? `@${one.agent.username}` : 'Whoever appealed'} reads this as your answer.`}
          isPending={answer.isPending}
          error={answer.error}
          onCancel={() => setChosen(undefined)}
          onSubmit={(words) =>
            // The answered appeal, and this panel with it, may be gone from the case by then.
            answer.mutateAsync({ id: appeal.id, outcome: chosen, ...words }).then(
              () => onDone(outcomes[chosen].done),
              () => {},
            )
          }
        />
      )}
    </section>
  )
}
