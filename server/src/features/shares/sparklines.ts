import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { AgentRow } from '../agents/queries.js'
import { nextPriceBnb } from './chart.js'
import { supplyAt } from './past-supply.js'

const POINTS = 24
const SPAN_MS = 7 * 86_400_000

/**
 * The prices of agents' shares at equal distances over the last week, or since the launch if that is later; oldest first.
 * Each point is one look into an index, so that the cost does not grow with the number of trades.
 */
export async function findSparklines(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  agents: readonly AgentRow[],
): Promise<Map<string, string[]>> {
  const launched = agents.filter((agent) => agent.launched_at !== null)
  if (launched.length === 0) return new Map()
  const now = clock.now()
  const weekAgo = now.getTime() - SPAN_MS
  const starts = launched.map(({ launched_at }) => new Date(Math.max(launched_at?.getTime() ?? 0, weekAgo)))
  const rows = await db.many<{ id: string; supplies: number[] }>(sql`
    select input.id, array(
      select ${supplyAt(sql`input.subject`, sql`input.since + (${now}::timestamptz - input.since) * point / ${POINTS - 1}`)}
      from generate_series(0, ${POINTS - 2}) point order by point) as supplies
    from unnest(${launched.map(({ id }) => id)}::uuid[], ${launched.map(({ subject }) => subject)}::text[],
      ${starts}::timestamptz[]) as input (id, subject, since)`)
  const past = new Map(rows.map(({ id, supplies }) => [id, supplies]))
  return new Map(
    launched.map(({ id, supply }) => [
      id,
      [...(past.get(id) ?? []), supply].filter((shares) => shares > 0).map(nextPriceBnb),
    ]),
  )
}
