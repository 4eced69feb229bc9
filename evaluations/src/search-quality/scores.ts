/** The quality of rankings, averaged over the queries. */
export interface Scores {
  readonly queries: number
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  readonly ndcgAt10: number
}

/** The results of a query, best first, and the relevant ones. */
export interface Outcome {
  readonly ranking: readonly string[]
  readonly relevant: readonly string[]
}

export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const mean = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
  return {
    queries: outcomes.length,
    recallAt1: mean((outcome) => recall(outcome, 1)),
    recallAt5: mean((outcome) => recall(outcome, 5)),
    recallAt10: mean((outcome) => recall(outcome, 10)),
    ndcgAt10: mean((outcome) => ndcg(outcome, 10)),
  }
}

/** The part of the relevant results among the first `k`, of which there can be at most `k`. */
export function recall({ ranking, relevant }: Outcome, k: number): number {
  const found = ranking.slice(0, k).filter((id) => relevant.includes(id)).length
  return found / Math.min(k, relevant.length)
}

/** Normalised discounted cumulative gain: 1 if all relevant results come first. */
export function ndcg({ ranking, relevant }: Outcome, k: number): number {
  const gain = (index: number) => 1 / Math.log2(index + 2)
  const ideal = relevant.slice(0, k).reduce((sum, _, index) => sum + gain(index), 0)
  const real = ranking.slice(0, k).reduce((sum, id, index) => sum + (relevant.includes(id) ? gain(index) : 0), 0)
  return real / ideal
}
