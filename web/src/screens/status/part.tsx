import type { PartView } from './describe-health.js'

export function Part({ name, state, word, details }: PartView) {
  return (
    <li>
      <span className="status-name">{name}</span>
      <span className="quiet">{details}</span>
      <strong className={`service service-${state}`}>{word}</strong>
    </li>
  )
}
