import { useEffect, useRef } from 'react'
import { describeFailure } from '../api/failure.js'

/** The service’s reason for refusing a form. It comes into view, because forms can be longer than the screen. */
export function FormFailure({ error }: { error: Error }) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another error is shown again.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  const { message, code, details } = describeFailure(error)
  return (
    <div ref={place} className="form-failure" role="alert">
      <p>{message}</p>
      {details.map(({ path, message }) => (
        <p key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </p>
      ))}
      {code && (
        <p className="state-code">
          <code>{code}</code>
        </p>
      )}
    </div>
  )
}
