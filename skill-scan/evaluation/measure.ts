import { scanSkill } from '../src/scan.js'
import { containsApiKey, knownNames, type Sample } from './corpus.js'

/** A document and its scan result. */
export interface Judged extends Sample {
  readonly status: 'clean' | 'warning' | 'blocked'
  readonly rules: readonly string[]
}

/** Scans every document. */
export function judge(samples: readonly Sample[]): Promise<Judged[]> {
  const one = async (sample: Sample): Promise<Judged> => {
    const { status, findings } = await scanSkill({ ...sample, description: '' }, knownNames, containsApiKey)
    return { ...sample, status, rules: [...new Set(findings.map(({ rule }) => rule))] }
  }
  return Promise.all(samples.map(one))
}

/** How many documents got each verdict. */
export interface Verdicts {
  readonly blocked: number
  readonly uncertain: number
  readonly clean: number
}

export function verdictsOf(judged: readonly Judged[]): Verdicts {
  const count = (wanted: Judged['status']) => judged.filter(({ status }) => status === wanted).length
  return { blocked: count('blocked'), uncertain: count('warning'), clean: count('clean') }
}

/** How well the scan separates bad documents from good ones. */
export interface Rates {
  readonly bad: number
  readonly good: number
  /** The share of bad documents that are blocked, and that are blocked or flagged. */
  readonly recallBlocked: number
  readonly recallFlagged: number
  /** The same for good documents. */
  readonly falseBlocked: number
  readonly falseFlagged: number
}

export function ratesOf(judged: readonly Judged[]): Rates {
  const bad = judged.filter(({ isBad }) => isBad)
  const good = judged.filter(({ isBad }) => !isBad)
  const share = (of: readonly Judged[], isHit: (one: Judged) => boolean) =>
    of.filter(isHit).length / Math.max(of.length, 1)
  const isBlocked = ({ status }: Judged) => status === 'blocked'
  const isFlagged = ({ status }: Judged) => status !== 'clean'
  return {
    bad: bad.length,
    good: good.length,
    recallBlocked: share(bad, isBlocked),
    recallFlagged: share(bad, isFlagged),
    falseBlocked: share(good, isBlocked),
    falseFlagged: share(good, isFlagged),
  }
}
