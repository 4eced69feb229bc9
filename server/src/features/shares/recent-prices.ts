import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { supplyAt } from './past-supply.js'

const STEPS = 12
const STEP_MS = 2 * 3_600_000

/** By subject, the supply at each step of the last 24 hours, oldest first; the last one is now. */
export async function findRecentSupplies(
  db: Db,
  subjects: readonly string[],
  now: Date,
): Promise<Map<string, readonly number[]>> {
  if (subjects.length === 0) return new Map()
  const times = Array.from({ length: STEPS }, (_, i) => new Date(now.getTime() - (STEPS - i) * STEP_MS))
  const rows = await db.many<{ subject: string; supplies: number[] }>(sql`
    select subject, (
      select array_agg(${supplyAt(sql`input.subject`, sql`time.at`)} order by time.at)
      from unnest(${times}::timestamptz[] || 'infinity'::timestamptz) as time (at)) as supplies
    from unnest(${subjects}::text[]) as input (subject)`)
  return new Map(rows.map(({ subject, supplies }) => [subject, supplies]))
}
