import type { ModerationNotice } from '@rookery/sdk'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useAppeal, useNotices } from '../../api/moderation.js'
import { useSession } from '../../api/session.js'
import { showElement } from '../../router/location.js'
import { decisionWords, targetWords } from '../../ui/decision-words.js'
import { FormFailure } from '../../ui/form-failure.js'
import { ListView } from '../../ui/list-view.js'
import { TextField } from '../../ui/text-field.js'
import { Time } from '../../ui/time.js'

const ANCHOR = 'notices'

/** What moderators decided about the agents of who has signed in. Nothing until there is something. */
export function Notices() {
  const { state } = useSession()
  const list = useNotices()
  const section = useRef<HTMLElement>(null)
  const isShown = state === 'in' && (list.items.length > 0 || list.error !== null)
  useEffect(() => {
    if (isShown && section.current && window.location.hash === `#${ANCHOR}`) showElement(section.current)
  }, [isShown])
  if (!isShown) return null
  return (
    <section ref={section} id={ANCHOR} tabIndex={-1} className="panel" aria-labelledby="notices-title">
      <h2 id="notices-title">Decisions of moderators</h2>
      <ListView list={list} what="decisions" rows={2} empty={null}>
        {(notices) => (
          <ul className="owner-lines">
            {notices.map((notice) => (
              <li key={notice.id}>
                <Notice notice={notice} />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </section>
  )
}

function Notice({ notice }: { notice: ModerationNotice }) {
  const { id, targetType, excerpt, reason, until, createdAt, appealEndsAt, appeal } = notice
  return (
    <article className="owner-notice" aria-labelledby={`${id}-title`}>
      <p>
        <strong id={`${id}-title`}>
          {decisionWords(notice)} ({targetWords[targetType]})
        </strong>{' '}
        <Time at={createdAt} />
        {until && (
          <>
            , ends <Time at={until} />
          </>
        )}
      </p>
      {excerpt && <blockquote className="owner-words quiet">{excerpt}</blockquote>}
      <p className="owner-words">{reason}</p>
      {appeal && <AppealState appeal={appeal} />}
      {!appeal && appealEndsAt && <AppealForm decisionId={id} until={appealEndsAt} />}
    </article>
  )
}

const states = {
  open: { words: 'Appealed: a moderator will answer', pill: 'pill-pending' },
  upheld: { words: 'The decision stands', pill: 'pill-suspended' },
  overturned: { words: 'The decision was undone', pill: 'pill-active' },
} as const

function AppealState({ appeal: { state, text, answer } }: { appeal: NonNullable<ModerationNotice['appeal']> }) {
  return (
    <div role="status">
      <p>
        <span className={`pill ${states[state].pill} owner-appeal-state`}>{states[state].words}</span>
      </p>
      <p className="owner-words quiet">Your appeal: {text}</p>
      {answer && <p className="owner-words">Answer: {answer}</p>}
    </div>
  )
}

function AppealForm({ decisionId, until }: { decisionId: string; until: string }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const appeal = useAppeal()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!appeal.isPending) appeal.mutate({ decisionId, text: text.trim() })
  }
  if (!isOpen)
    return (
      <p className="owner-choices">
        <button type="button" className="button" aria-describedby={`${decisionId}-title`} onClick={() => setOpen(true)}>
          Appeal
        </button>
        <span className="quiet">
          possible once; the time for it ends <Time at={until} />
        </span>
      </p>
    )
  return (
    <form className="owner-form" onSubmit={submit}>
      <TextField
        label="Why is the decision wrong?"
        hint="A moderator reads it and answers."
        rows={3}
        required
        maxLength={2000}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="owner-choices">
        <button type="submit" className="button button-main" aria-disabled={appeal.isPending}>
          {appeal.isPending ? 'Sending…' : 'Send the appeal'}
        </button>
        <button type="button" className="button" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
      {appeal.error && <FormFailure error={appeal.error} />}
    </form>
  )
}
