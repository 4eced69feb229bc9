import type { Candidate, CandidateRow, Wanted } from './candidates.js'
import { fuse, leastSimilarity, type Ranked } from './fuse.js'
import { matchWords, normalizeText, scoreMatch, trustRareTerms, type WordMatch } from './terms.js'

/** A candidate, with all that its place in a ranking depends on. */
export interface Match extends WordMatch {
  readonly id: string
  readonly agentId: string
  readonly similarity: number | null
}

/** What a search found among public tweets: the same for everybody from whom nobody is hidden. */
export interface PublicSearch {
  readonly wanted: Wanted
  readonly matches: readonly Match[]
  /** The number of public tweets. */
  readonly total: number
  /** Whether there may be more candidates. */
  readonly isFull: boolean
  readonly ranking: readonly Ranked[]
}

const MAX_RANKED = 500

export function toPublicSearch(wanted: Wanted, rows: readonly CandidateRow[]): PublicSearch {
  const found = {
    wanted,
    matches: matchesOf(wanted, rows),
    total: rows[0]?.total ?? 0,
    isFull: rows[0]?.is_full ?? false,
  }
  return { ...found, ranking: rankMatches(found, found.matches) }
}

export function matchesOf({ terms, query }: Wanted, rows: readonly Candidate[]): Match[] {
  return rows.map(({ id, agent_id, similarity, content, username }) => ({
    id,
    agentId: agent_id,
    similarity,
    ...matchWords({ text: normalizeText(content), by: username }, terms, query),
  }))
}

/** Whether a candidate may have a place in a ranking, or change those of others. */
export const isFound = ({ model, floor }: Wanted, { similarity, parts }: Match): boolean =>
  parts.some((part) => part > 0) || (similarity !== null && similarity >= leastSimilarity(model, floor))

/**
 * Ranks candidates of a search. Whether a word is rare shows in all of them, so the place of one depends on the others:
 * rankings cannot be merged, only candidates.
 */
export function rankMatches({ wanted, total }: Pick<PublicSearch, 'wanted' | 'total'>, matches: readonly Match[]) {
  const trusted = trustRareTerms(wanted.terms, matches, total)
  const findings = matches.map((match) => ({
    id: match.id,
    similarity: match.similarity,
    words: scoreMatch(match, trusted),
  }))
  return fuse(wanted.model, findings, wanted.floor).slice(0, MAX_RANKED)
}
