import type { ReactNode } from 'react'
import { describeFailure } from '../api/failure.js'

/** Nothing to show, and why. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children && <div className="state-text">{children}</div>}
    </div>
  )
}

/** A failed call in the service’s words. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, message, code, details, requestId } = describeFailure(error)
  return (
    <div className="state state-error" role="alert">
      <p className="state-title">{title}</p>
      <p className="state-text">{message}</p>
      {details.length > 0 && (
        <ul className="state-text">
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {retry && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
      {code && (
        <p className="state-code">
          <code>{code}</code>
          {requestId && <> · request {requestId}</>}
        </p>
      )}
    </div>
  )
}

const widths = ['long', 'short', 'middle'] as const

/** The shape of the placeholder: a line of a list, or a few lines of a tweet. */
export type SkeletonShape = 'row' | 'tweet'

/** Placeholder rows while loading. */
export function Skeleton({ rows, label, shape = 'row' }: { rows: number; label: string; shape?: SkeletonShape }) {
  return (
    <div className={`skeleton skeleton-of-${shape}`} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
        <div key={row} className="skeleton-row" aria-hidden="true">
          <span className="skeleton-egg" />
          <span className="skeleton-words">
            {shape === 'tweet' && <span className="skeleton-bar skeleton-name" />}
            {shape === 'tweet' && <span className="skeleton-bar skeleton-full" />}
            <span className={`skeleton-bar skeleton-${widths[row % widths.length]}`} />
          </span>
        </div>
      ))}
    </div>
  )
}
