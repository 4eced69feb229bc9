import type { TweetMatch } from '@rookery/api'
import type { Model } from './vectors.js'

/** What something was found by. */
export type Matched = TweetMatch['matched']

/** A place in a ranking. */
export interface Ranked {
  readonly id: string
  readonly score: number
  readonly matched: Matched
}

/** Something that was found, and how near it is, if that is known. */
export interface Finding {
  readonly id: string
  readonly likeness: number | null
  /** How likely it is what was looked for, by its words alone. */
  readonly words: number
}

// Nearer than nearly all texts that have nothing to do with each other.
const SPREADS = 2

/**
 * One order out of two: by meaning and by words. Each is the chance that this is what was looked for, and the score is
 * the chance that one of them is right: so a paraphrase without a common word and a rare word in an unlike text both
 * come out on top, and what is found by both comes before either.
 */
export function fuse(model: Pick<Model, 'noise' | 'spread'>, findings: readonly Finding[]): Ranked[] {
  const ranked = findings.flatMap(({ id, likeness, words }): Ranked[] => {
    const isNear = likeness !== null && likeness >= model.noise + SPREADS * model.spread
    if (!isNear && words === 0) return []
    const meaning = likeness === null ? 0 : Math.min(Math.max((likeness - model.noise) / (1 - model.noise), 0), 1)
    const score = 1 - (1 - meaning) * (1 - words)
    const matched = words === 0 ? 'meaning' : isNear ? 'both' : 'words'
    return [{ id, score: Math.round(score * 10_000) / 10_000, matched }]
  })
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}
