import { type ComponentProps, type ReactNode, useId } from 'react'

/** A labelled field for several lines, with an optional hint. */
export function TextField({ label, hint, ...area }: { label: string; hint?: ReactNode } & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea {...area} id={id} {...(hint && { 'aria-describedby': `${id}-hint` })} />
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}
