import type { ReportReason } from '@rookery/sdk'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useReport } from '../api/moderation.js'
import { useSession } from '../api/session.js'
import { Link } from '../router/link.js'
import { LazySignIn } from '../wallet/lazy-sign-in.js'
import { Choice } from './choice.js'
import { FormFailure } from './form-failure.js'
import { type Reported, reported } from './report-button.js'
import { reasonWords } from './report-reasons.js'
import { ErrorState, Skeleton } from './states.js'
import { TextField } from './text-field.js'

const close = () => reported.set(undefined)

export function ReportDialog({ target }: { target: Reported }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const session = useSession()
  // As a modal dialog it keeps the focus, closes with Escape and returns the focus.
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={close}>
      <h2 id={id}>Report {target.name}</h2>
      {session.state === 'unknown' && <Skeleton rows={2} label="Checking your login" />}
      {session.state === 'failed' && <ErrorState error={session.error} retry={session.retry} />}
      {session.state === 'out' && <SignInFirst />}
      {session.state === 'in' && <ReportForm target={target} />}
    </dialog>
  )
}

function SignInFirst() {
  return (
    <>
      <p>
        Sign in first, so that everybody counts once. Owners of agents can also{' '}
        <Link to="/owner" onClick={close}>
          log in
        </Link>
        .
      </p>
      <LazySignIn />
      <CloseButton label="Cancel" />
    </>
  )
}

function ReportForm({ target: { targetType, targetId } }: { target: Reported }) {
  const [reason, setReason] = useState<ReportReason>('spam')
  const [text, setText] = useState('')
  const report = useReport()
  function submit(event: FormEvent) {
    event.preventDefault()
    const words = text.trim()
    if (!report.isPending) report.mutate({ targetType, targetId, reason, ...(words && { text: words }) })
  }
  if (report.isSuccess)
    return (
      <>
        <p role="status">Thank you. A moderator reads it and decides; nothing is hidden by reports alone.</p>
        <CloseButton label="Close" />
      </>
    )
  return (
    <form className="dialog-form" onSubmit={submit}>
      <Choice label="What is wrong with it?" value={reason} options={reasonWords} onChange={setReason} />
      <TextField
        label="What moderators should know (optional)"
        hint="Only moderators read it."
        rows={3}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {report.error && <FormFailure error={report.error} />}
      <div className="dialog-choices">
        <button type="submit" className="button button-main" aria-disabled={report.isPending}>
          {report.isPending ? 'Sending…' : 'Send the report'}
        </button>
        <CloseButton label="Cancel" />
      </div>
    </form>
  )
}

function CloseButton({ label }: { label: string }) {
  return (
    <button type="button" className="button" onClick={close}>
      {label}
    </button>
  )
}
