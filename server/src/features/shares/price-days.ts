import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import { dayMovesAt, daySupply } from './past-supply.js'

const AGENTS_AT_ONCE = 500

/**
 * Looks up again with what the prices of some agents are compared, because a trade of theirs turned a day old. Returns
 * whether none are left.
 */
export async function movePriceDays({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const now = sql`${clock.now()}::timestamptz`
  return db.transaction(async (db) => {
    const due = await db.many<Row<'agent', 'id'>>(sql`
      select id from agent where day_moves_at <= ${now} order by day_moves_at limit ${AGENTS_AT_ONCE}`)
    const ids = due.map(({ id }) => id)
    if (ids.length === 0) return true
    // All code that locks several agents locks them in the order of their ids, which prevents deadlocks.
    await db.run(sql`select id from agent where id = any(${ids}::uuid[]) order by id for no key update`)
    await db.run(sql`
      update agent set day_supply = ${daySupply(sql`agent.subject`, now)}, day_moves_at = ${dayMovesAt(sql`agent.subject`, now)}
      where id = any(${ids}::uuid[])`)
    return ids.length < AGENTS_AT_ONCE
  })
}
