import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Backfill } from '../../foundation/jobs/backfill.js'
import { keepCandles, stepAt } from './candles.js'
import { addCosts, type Pair } from './costs.js'
import { listPairs, SOURCES } from './fill-costs.js'

const SUBJECTS_AT_ONCE = 20
const PAIRS_AT_ONCE = 100

// An instance of an older version that follows the chain, before or beside this one, stores trades and transfers without
// what this version derives from them. Both count in agents or pairs, not in trades.

const candles: Backfill = {
  name: 'share_candles',
  repeats: true,
  count: async (db) => Number((await db.one<{ n: bigint }>(sql`select count(distinct subject) as n from trade`)).n),
  async step(db, position) {
    const subjects = await listSubjects(db, String(position?.after ?? ''))
    const last = subjects.at(-1)
    if (last === undefined) return undefined
    if ((await listIncomplete(db, subjects)).length > 0) {
      await holdFollower(db)
      // Again, because the follower may have moved on before.
      await keepCandles(db, await listIncomplete(db, subjects))
    }
    return { position: { after: last }, done: subjects.length }
  },
}

const costs: Backfill = {
  name: 'share_costs',
  repeats: true,
  count: async (db) =>
    Number(
      (await db.one<{ n: bigint }>(sql`select count(*) as n from (select distinct trader, subject from trade) pair`)).n,
    ),
  async step(db, position) {
    let source = Number(position?.source ?? 0)
    let after: Pair = { wallet: String(position?.wallet ?? ''), subject: String(position?.subject ?? '') }
    for (let of = SOURCES[source]; of; of = SOURCES[++source]) {
      const pairs = await listPairs(db, of, after, PAIRS_AT_ONCE)
      const last = pairs.at(-1)
      if (last) {
        await holdFollower(db)
        await addCosts(db, pairs)
        return { position: { source, ...last }, done: source === 0 ? pairs.length : 0 }
      }
      after = { wallet: '', subject: '' }
    }
    return undefined
  },
}

export const shareBackfills: readonly Backfill[] = [candles, costs]

// The follower locks this row while it applies blocks, so no block is applied or undone in between.
async function holdFollower(db: Db): Promise<void> {
  await db.run(sql`select 1 from chain_cursor for update`)
}

/** The next agents with trades, each found by one step in the index, however many trades the one before has. */
async function listSubjects(db: Db, after: string): Promise<string[]> {
  const next = (after: Sql) => sql`select subject from trade where subject > ${after} order by subject limit 1`
  const rows = await db.many<Row<'trade', 'subject'>>(sql`
    with recursive found as (
      (${next(sql`${after}::text`)})
      union all
      select after.subject from found cross join lateral (${next(sql`found.subject`)}) after
    ) select subject from found limit ${SUBJECTS_AT_ONCE}`)
  return rows.map(({ subject }) => subject)
}

/** For each agent whose shortest candles do not say what its trades and transfers do: the first minute where they differ. */
function listIncomplete(db: Db, subjects: readonly string[]): Promise<{ subject: string; time: number }[]> {
  const minute = stepAt(1, sql`at`)
  return db.many(sql`
    select subject, min(extract(epoch from start_at))::float8 as time from (
      select subject, start_at from (
        select subject, ${minute} as start_at, 1 as trades, 0 as kept, true as is_move
        from trade where subject = any(${subjects}::text[])
        union all
        select subject, ${minute}, 0, 0, true from share_transfer where subject = any(${subjects}::text[])
        union all
        select subject, start_at, 0, trades, false from share_candle
        where minutes = 1 and subject = any(${subjects}::text[])
      ) side
      group by subject, start_at having sum(trades) <> sum(kept) or count(*) filter (where is_move) = 0
        or count(*) filter (where not is_move) = 0
    ) different group by subject`)
}
