import type { Embed } from '../src/likeness.js'
import { scanSkill } from '../src/scan.js'
import { containsApiKey, knownNames, type Sample } from './corpus.js'

/** A document and its scan result. */
export interface Judged extends Sample {
  readonly verdict: Verdict
  readonly rules: readonly string[]
}

/** What the scan says: `unsure` is a clean document with findings. */
export const VERDICTS = ['blocked', 'warning', 'unsure', 'clean'] as const
type Verdict = (typeof VERDICTS)[number]

/** Scans every document. */
export async function judge(samples: readonly Sample[], embed?: Embed): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const sample of samples) {
    const { status, findings } = await scanSkill({ ...sample, description: '' }, knownNames, containsApiKey, embed)
    const verdict = status === 'clean' && findings.length > 0 ? 'unsure' : status
    judged.push({ ...sample, verdict, rules: [...new Set(findings.map(({ rule }) => rule))] })
  }
  return judged
}

/** How well the scan separates bad documents from good ones. */
export interface Rates {
  readonly bad: number
  readonly good: number
  /** The share of bad documents that are blocked, and that are blocked or labelled. */
  readonly recallBlocked: number
  readonly recallLabelled: number
  /** The same for good documents. */
  readonly falseBlocked: number
  readonly falseLabelled: number
}

export function ratesOf(judged: readonly Judged[]): Rates {
  const bad = judged.filter(({ isBad }) => isBad)
  const good = judged.filter(({ isBad }) => !isBad)
  const share = (of: readonly Judged[], isHit: (one: Judged) => boolean) =>
    of.filter(isHit).length / Math.max(of.length, 1)
  const isBlocked = ({ verdict }: Judged) => verdict === 'blocked'
  const isLabelled = ({ verdict }: Judged) => verdict === 'blocked' || verdict === 'warning'
  return {
    bad: bad.length,
    good: good.length,
    recallBlocked: share(bad, isBlocked),
    recallLabelled: share(bad, isLabelled),
    falseBlocked: share(good, isBlocked),
    falseLabelled: share(good, isLabelled),
  }
}
