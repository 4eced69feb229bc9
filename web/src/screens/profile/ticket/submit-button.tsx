import { type ReactNode, useId } from 'react'

/** The button of a form. One that cannot succeed is disabled, and says why beside it. */
export function SubmitButton({
  reason,
  isBusy,
  children,
}: {
  reason: string | undefined
  isBusy: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className="submit">
      <button
        type="submit"
        className="button button-main"
        aria-disabled={isBusy || reason !== undefined}
        {...(reason !== undefined && { 'aria-describedby': id })}
      >
        {children}
      </button>
      {reason !== undefined && (
        <p id={id} className="why-not">
          {reason}
        </p>
      )}
    </div>
  )
}
