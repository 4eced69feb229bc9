import type { TweetMatch } from '@rookery/api'
import type { Model } from './vectors.js'

export type Matched = TweetMatch['matched']

/** A place in a ranking. */
export interface Ranked {
  readonly id: string
  readonly score: number
  readonly matched: Matched
}

/** A candidate; `similarity` is null if it was not compared by meaning. */
export interface Finding {
  readonly id: string
  readonly similarity: number | null
  /** The probability that this is what the query means, judged by its words alone. */
  readonly words: number
}

// More similar than nearly all pairs of unrelated texts.
const MIN_SPREADS = 2

/** What is less similar to a query than this is not found by its meaning. */
export const leastSimilarity = ({ noise, spread }: Pick<Model, 'noise' | 'spread'>, floor: number): number =>
  Math.max(noise + MIN_SPREADS * spread, floor)

/**
 * Merges the rankings by meaning and by words. Each gives the probability that a candidate is what the query means; the
 * score is the probability that at least one of them is right. So a paraphrase without a common word and a rare word in a
 * dissimilar text both rank high, and a match by both ranks higher still.
 */
export function fuse(
  model: Pick<Model, 'noise' | 'spread'>,
  findings: readonly Finding[],
  /** The similarity of nonsense to the query. */
  floor = 0,
): Ranked[] {
  const least = leastSimilarity(model, floor)
  const ranked = findings.flatMap(({ id, similarity, words }): Ranked[] => {
    const isNear = similarity !== null && similarity >= least
    if (!isNear && words === 0) return []
    const meaning = similarity === null ? 0 : Math.min(Math.max((similarity - model.noise) / (1 - model.noise), 0), 1)
    const score = 1 - (1 - meaning) * (1 - words)
    const matched = words === 0 ? 'meaning' : isNear ? 'both' : 'words'
    return [{ id, score: Math.round(score * 10_000) / 10_000, matched }]
  })
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}
