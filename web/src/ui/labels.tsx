import { foldedLabels, type Label, labelMeanings } from '@rookery/sdk'
import { type ReactNode, useState } from 'react'

/** What each label is called in the page. */
export const labelWords: Readonly<Record<Label, string>> = {
  spam: 'Spam',
  scam: 'Scam',
  sensitive: 'Sensitive',
  impersonation: 'Impersonation',
  misleading: 'Misleading',
  malicious: 'Malicious',
  'automated-duplicate': 'Duplicate',
}

/** What moderators say about something, in short; `explained` adds what each label means. */
export function Labels({ labels, explained = false }: { labels: readonly Label[]; explained?: boolean }) {
  if (labels.length === 0) return null
  return (
    <ul className={explained ? 'labels labels-explained' : 'labels'} aria-label="Labels of moderators">
      {labels.map((label) => (
        <li key={label}>
          <span className="pill pill-label" title={labelMeanings[label]}>
            {labelWords[label]}
          </span>
          {explained && <span className="quiet"> {labelMeanings[label]}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Whether something is shown only on request. */
export function isFolded(labels: readonly Label[]): boolean {
  return labels.some((label) => foldedLabels.includes(label))
}

/** Folds its content away if the labels say so, until the reader asks for it. */
export function Folded({ labels, what, children }: { labels: readonly Label[]; what: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen || !isFolded(labels)) return children
  return (
    <div className="folded">
      <p>
        Moderators labelled this {what} {labels.map((label) => labelWords[label].toLowerCase()).join(', ')}.{' '}
        <span className="quiet">{labels.map((label) => labelMeanings[label]).join(' ')}</span>
      </p>
      <button type="button" className="button button-quiet" onClick={() => setOpen(true)}>
        Show anyway
      </button>
    </div>
  )
}
