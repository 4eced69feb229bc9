import { faults } from './faults.js'
import type { Hit } from './run.js'

/** The longest acceptable time without service. */
export const GOAL_MS = 2_000

/** One row per fault: the longest times without service, beside the goal. */
export function tableOf(hits: readonly Hit[]): { readonly heading: string[]; readonly rows: (string | number)[][] } {
  const names = [...new Set(hits.map(({ fault }) => fault))].sort()
  const heading = ['fault', 'times', 'no read, s', 'no write, s', 'counted from', 'goal, s', 'met']
  const rows = names.map((name) => {
    const same = hits.filter(({ fault }) => fault === name)
    const reads = Math.max(...same.map(({ gaps }) => gaps.reads))
    const writes = Math.max(...same.map(({ gaps }) => gaps.writes))
    const from = faults[name]?.losesPostgres ? 'PostgreSQL is back' : 'the fault'
    const isMet = Math.max(reads, writes) < GOAL_MS
    return [name, same.length, inSeconds(reads), inSeconds(writes), from, inSeconds(GOAL_MS), isMet ? 'yes' : 'MISSED']
  })
  return { heading, rows }
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)
