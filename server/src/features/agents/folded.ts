import { foldedLabels, type Label, labelMeanings } from '@rookery/api'

/** Replaces the words of what the page folds away: a page that is shared must not show them either. */
export function unlessFolded(labels: readonly Label[], words: string): string {
  const label = labels.find((one) => foldedLabels.includes(one))
  return label ? `Labelled ${label} by moderators. ${labelMeanings[label]}` : words
}

export function isFolded(labels: readonly Label[]): boolean {
  return labels.some((label) => foldedLabels.includes(label))
}
