import { type ComponentProps, type ReactNode, useId } from 'react'

/** A labelled field with an optional hint and an optional fault. */
export function Field({
  label,
  hint,
  fault,
  quietLabel = false,
  ...input
}: {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  /** The label is only for screen readers; something beside the field shows its purpose. */
  quietLabel?: boolean
} & ComponentProps<'input'>) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id} className={quietLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={fault ? true : undefined}
        {...(described && { 'aria-describedby': described })}
      />
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="field-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
