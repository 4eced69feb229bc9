import { describeFailure } from '../api/failure.js'

/** The service’s reason for refusing a form. */
export function FormFailure({ error }: { error: Error }) {
  const { message, code, details } = describeFailure(error)
  return (
    <div className="form-failure" role="alert">
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
