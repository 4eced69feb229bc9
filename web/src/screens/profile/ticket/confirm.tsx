import { type ReactNode, useEffect, useRef } from 'react'

/** Asks once more before a step that costs a lot, in place of the form. It takes the focus. */
export function Confirm({
  question,
  children,
  action,
  isBusy,
  onConfirm,
  onBack,
}: {
  question: string
  /** What the step would do. */
  children: ReactNode
  /** The words on the button that takes the step. */
  action: string
  isBusy: boolean
  onConfirm: () => void
  onBack: () => void
}) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className="confirm" aria-label={question} tabIndex={-1} ref={box}>
      {children}
      <div className="confirm-choices">
        <button type="button" className="button button-main" aria-disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
        <button type="button" className="button button-quiet" onClick={onBack}>
          Go back
        </button>
      </div>
    </section>
  )
}
