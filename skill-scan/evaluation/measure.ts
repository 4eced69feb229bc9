import { scanSkill } from '../src/scan.js'
import { containsApiKey, knownNames, type Sample } from './corpus.js'

/** A document and what the scan says of it. */
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

/** How well the scan tells bad documents from good ones. */
export interface Rates {
  readonly bad: number
  readonly good: number
  /** Of the bad ones: blocked, and blocked or warned of. */
  readonly recallBlocked: number
  readonly recallFlagged: number
  /** Of the good ones: the same. */
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
