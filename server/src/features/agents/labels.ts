import { type Label, labelMeanings } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'

const known = Object.keys(labelMeanings) as Label[]

/** The labels that `excludeLabels` names. */
function parseLabels(excluded: string | undefined): readonly Label[] {
  if (excluded === undefined) return []
  if (excluded.trim() === 'all') return known
  const words = excluded.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !known.some((label) => label === word))
  if (unknown !== undefined) throw Problem.at('excludeLabels', `must be all, or labels by comma: ${known.join(', ')}`)
  return known.filter((label) => words.includes(label))
}

/** The same text for everything that means the same, so that it can be part of a key. */
export function tidyLabels(excluded: string | undefined): string {
  return parseLabels(excluded).join(',')
}

/**
 * Conditions that leave out rows with one of these labels, or of an author with one. `authorId` is the author's id, if the
 * row is not an agent itself. Agents with labels are few and have an index.
 */
export function labelConditions(excluded: string | undefined, row: Sql, authorId?: Sql): Sql[] {
  const labels = parseLabels(excluded)
  if (labels.length === 0) return []
  const isFree = sql`not ${row}.labels && ${labels}::text[]`
  if (!authorId) return [isFree]
  return [isFree, sql`${authorId} not in (select id from agent where labels <> '{}' and labels && ${labels}::text[])`]
}
