import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Job } from '../../foundation/jobs/worker.js'
import { fillCosts, type Pair } from './costs.js'

const PAIRS_AT_ONCE = 100
// Whoever sends shares has bought or received them before.
export const SOURCES: readonly { readonly table: Sql; readonly wallet: Sql }[] = [
  { table: sql`trade`, wallet: sql`trader` },
  { table: sql`share_transfer`, wallet: sql`receiver` },
]

/** Adds the costs of all pairs that an earlier release has stored, some at a time. Returns whether none are left. */
export async function fillAllCosts(db: Db, job: Job<'fill_share_costs'>): Promise<boolean> {
  let { source = 0, after = { wallet: '', subject: '' } } = job.payload
  for (let of = SOURCES[source]; of; of = SOURCES[source]) {
    if (job.stopping()) return false
    const pairs = await listPairs(db, of, after)
    const last = pairs.at(-1)
    if (last) after = last
    else {
      source++
      after = { wallet: '', subject: '' }
    }
    await fillCosts(db, pairs)
    await db.transaction((db) => job.saveProgress(db, { source, after }))
    await job.rest()
  }
  return true
}

/** The next pairs, each found by one step in the index, however many moves the one before has. */
export function listPairs(
  db: Db,
  { table, wallet }: (typeof SOURCES)[number],
  after: Pair,
  most = PAIRS_AT_ONCE,
): Promise<Pair[]> {
  const next = (afterWallet: Sql, afterSubject: Sql) => sql`
    select ${wallet} as wallet, subject from ${table} where (${wallet}, subject) > (${afterWallet}, ${afterSubject})
    order by ${wallet}, subject limit 1`
  return db.many<Pair>(sql`
    with recursive pair as (
      (${next(sql`${after.wallet}::text`, sql`${after.subject}::text`)})
      union all
      select found.* from pair cross join lateral (${next(sql`pair.wallet`, sql`pair.subject`)}) found
    ) select wallet, subject from pair limit ${most}`)
}
