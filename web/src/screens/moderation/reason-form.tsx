import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { FormFailure } from '../../ui/form-failure.js'
import { TextField } from '../../ui/text-field.js'

/** The reason that others will read and an optional note; asks again before it does what cannot be unseen. */
export function ReasonForm({
  title,
  readers,
  warning,
  isPending,
  error,
  onSubmit,
  onCancel,
  children,
}: {
  title: string
  /** Who reads the reason. */
  readers: string
  /** What happens; then it is asked again. */
  warning?: string | undefined
  isPending: boolean
  error: Error | null
  onSubmit: (words: { reason: string; note?: string }) => void
  onCancel: () => void
  /** More fields. */
  children?: ReactNode
}) {
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [isAsking, setAsking] = useState(false)
  const confirm = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isAsking) confirm.current?.focus()
  }, [isAsking])
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    if (warning && !isAsking) return setAsking(true)
    setAsking(false)
    onSubmit({ reason: reason.trim(), ...(note.trim() && { note: note.trim() }) })
  }
  return (
    <form className="case-form" aria-label={title} onSubmit={submit}>
      {children}
      <TextField
        label="Reason"
        hint={readers}
        rows={3}
        required
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <TextField
        label="Note (optional)"
        hint="Only moderators read it."
        rows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {isAsking && (
        <p className="case-warning" role="alert">
          {warning}
        </p>
      )}
      <div className="case-choices">
        <button
          ref={confirm}
          type="submit"
          className={isAsking ? 'button case-danger' : 'button button-main'}
          aria-disabled={isPending}
        >
          {isPending ? 'Deciding…' : isAsking ? `Yes: ${title.toLowerCase()}` : title}
        </button>
        <button type="button" className="button button-quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
      {error && <FormFailure error={error} />}
    </form>
  )
}
