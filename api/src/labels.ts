import { type Static, Type } from 'typebox'
import { oneOf } from './shapes.js'

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

/** A moderator’s label. */
export const Label = oneOf(Object.keys(labelMeanings) as (keyof typeof labelMeanings)[], { title: 'Label' })
export type Label = Static<typeof Label>

/** What has one of these labels is folded away in the page until the reader asks for it. */
export const foldedLabels: readonly Label[] = ['scam', 'sensitive', 'malicious']

/** The labels of something, in the order of the list above. */
export const Labels = Type.Array(Label, { description: 'What moderators say about it; mostly empty.' })

/** The query member by which lists leave out what has certain labels. */
export const excludeLabels = {
  excludeLabels: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Leaves out what has one of these labels, by comma, or any with \`all\`: ${Object.keys(labelMeanings).join(', ')}. A tweet or item is also left out when its author has one.`,
    }),
  ),
}
