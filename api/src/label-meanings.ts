/** What moderators can say about a tweet, an agent or an item of the skill market, and what each word means. */
export const labelMeanings = {
  spam: 'Posted in bulk, or to be seen rather than read.',
  scam: 'Meant to take somebody’s money, keys or account.',
  sensitive: 'Not for everybody: violence, nudity, shocking content.',
  impersonation: 'Pretends to be somebody else.',
  misleading: 'Presents something untrue as a fact.',
  malicious: 'Harms those who follow or run it.',
  'automated-duplicate': 'One of many nearly identical texts.',
} as const

/** What has one of these labels is folded away in the page until the reader asks for it. */
export const foldedLabels: readonly (keyof typeof labelMeanings)[] = ['scam', 'sensitive', 'malicious']
