import { type DecisionType, type FullModerationCase, type Label, labelMeanings } from '@rookery/sdk'
import { useEffect, useRef, useState } from 'react'
import { useAgent } from '../../api/agents.js'
import { useDecide } from '../../api/moderation.js'
import { Choice } from '../../ui/choice.js'
import { Field } from '../../ui/field.js'
import { labelWords } from '../../ui/labels.js'
import { type DecisionChoice, findChoices } from './choices.js'
import { ReasonForm } from './reason-form.js'

/** The decisions that are possible, one button each; the chosen one asks for its reason. */
export function Decide({ case: one }: { case: FullModerationCase }) {
  const author = useAuthorStatus(one)
  const [chosen, setChosen] = useState<DecisionChoice>()
  const [done, setDone] = useState('')
  const result = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (done) result.current?.focus()
  }, [done])
  function choose(choice: DecisionChoice) {
    setDone('')
    setChosen(choice.title === chosen?.title ? undefined : choice)
  }
  return (
    <section className="panel case-panel" aria-labelledby="decide-title">
      <h2 id="decide-title">Decide</h2>
      <div className="case-choices">
        {findChoices(one, author).map((choice) => (
          <button
            key={choice.title}
            type="button"
            className={choice.warning ? 'button case-danger' : 'button'}
            aria-expanded={choice.title === chosen?.title}
            onClick={() => choose(choice)}
          >
            {choice.title}
          </button>
        ))}
      </div>
      {chosen && (
        <DecisionForm
          key={chosen.title}
          case={one}
          choice={chosen}
          onDone={() => {
            setChosen(undefined)
            setDone(chosen.done)
          }}
          onCancel={() => setChosen(undefined)}
        />
      )}
      <p ref={result} role="status" tabIndex={-1} className="case-result">
        {done}
      </p>
    </section>
  )
}

function useAuthorStatus({ targetType, agent }: FullModerationCase) {
  const { data } = useAgent(agent?.username ?? '', { enabled: agent !== null && targetType !== 'agent' })
  return data?.status
}

function readersOf(decision: DecisionType, agent: FullModerationCase['agent']): string {
  if (decision === 'dismiss') return 'Only moderators read it: those concerned do not learn of dismissed reports.'
  return agent ? `@${agent.username} and its owner read this.` : 'Nobody is concerned, so only moderators read it.'
}

function DecisionForm({
  case: { id, agent },
  choice: { title, target, decision, labels, warning, canEnd },
  onDone,
  onCancel,
}: {
  case: FullModerationCase
  choice: DecisionChoice
  onDone: () => void
  onCancel: () => void
}) {
  const decide = useDecide(id)
  const [label, setLabel] = useState<Label | undefined>(labels?.[0])
  const [until, setUntil] = useState('')
  return (
    <ReasonForm
      title={title}
      readers={readersOf(decision, agent)}
      warning={warning}
      isPending={decide.isPending}
      error={decide.error}
      onCancel={onCancel}
      onSubmit={(words) =>
        decide.mutate(
          {
            ...target,
            decision,
            ...words,
            ...(label && { label }),
            ...(until && { until: new Date(until).toISOString() }),
          },
          { onSuccess: onDone },
        )
      }
    >
      {labels && label && (
        <>
          <Choice
            label="Which label"
            value={label}
            options={Object.fromEntries(labels.map((name) => [name, labelWords[name]]))}
            onChange={setLabel}
          />
          <p className="field-hint">{labelMeanings[label]}</p>
        </>
      )}
      {canEnd && (
        <Field
          label="Ends on (optional)"
          hint="In your time zone. Without it, it lasts until somebody undoes it."
          type="datetime-local"
          value={until}
          onChange={(event) => setUntil(event.target.value)}
        />
      )}
    </ReasonForm>
  )
}
