import { type Static, Type } from 'typebox'
import { labelMeanings } from './label-meanings.js'
import { oneOf } from './shapes.js'

/** A moderator’s label. */
export const Label = oneOf(Object.keys(labelMeanings) as (keyof typeof labelMeanings)[], { title: 'Label' })
export type Label = Static<typeof Label>

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
