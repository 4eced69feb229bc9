import sql, { raw, type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { OpenDatabase } from './connect.js'
import type { Db } from './db.js'
import { idAt, momentOf } from './id-at.js'

// Tables whose partitions are ranges of ids, which is time: one for each month, `_before` for what was there before them,
// and `_rest` for what comes after the last month. Rows get there only when a clock jumps: months are added well ahead.

export const PARTITIONED = ['notification', 'audit_entry'] as const
export type PartitionedTable = (typeof PARTITIONED)[number]

/** A partition and its ids: from `lower`, below `upper`; null without a bound. */
export interface Partition {
  readonly table: PartitionedTable
  readonly name: string
  readonly lower: string | null
  readonly upper: string | null
  /** It is being detached: new statements do without it. */
  readonly isPending: boolean
}

type Opened = Pick<OpenDatabase, 'db' | 'pool' | 'engine'>

const MONTHS_AHEAD = 2
const DAY_MS = 24 * 60 * 60_000
// Callers wait behind whoever waits for a whole table, so that is tried for a moment only, and again later.
const LOCK_WAIT = sql`set local lock_timeout = '100ms'`
// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_380

const restOf = (table: PartitionedTable) => `${table}_rest`

export async function listPartitions(db: Db): Promise<Partition[]> {
  const rows = await db.many<{ table: PartitionedTable; name: string; bounds: string; is_pending: boolean }>(sql`
    select parent.relname as table, part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bounds,
      inhdetachpending as is_pending
    from pg_inherits join pg_class part on part.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where inhparent in ('notification'::regclass, 'audit_entry'::regclass) and part.relkind = 'r'
    order by parent.relname, part.relname`)
  return rows.map(({ table, name, bounds, is_pending }) => {
    const [, lower, upper] = /FROM \('?(.*?)'?\) TO \('?(.*?)'?\)/.exec(bounds) ?? []
    return { table, name, lower: boundOf(lower), upper: boundOf(upper), isPending: is_pending }
  })
}

const boundOf = (text = 'MINVALUE') => (/^M(IN|AX)VALUE$/.test(text) ? null : text)

/** Where the last month ends, if there is one. */
function endOf(partitions: readonly Partition[]): string | null {
  return partitions.reduce<string | null>(
    (end, { upper }) => (upper !== null && upper > (end ?? '') ? upper : end),
    null,
  )
}

/** Adds the months that are missing. Callers wait for a moment if a clock has jumped, and otherwise not at all. */
export async function addPartitions(database: Opened, clock: Clock): Promise<void> {
  const now = clock.now()
  const until = idAt(startOfMonth(now, MONTHS_AHEAD))
  // One that was interrupted keeps others of its table from being detached. The table that is left is dropped later.
  for (const partition of await listPartitions(database.db)) if (partition.isPending) await detach(database, partition)
  const all = await listPartitions(database.db)
  for (const table of PARTITIONED) {
    const partitions = all.filter((partition) => partition.table === table)
    const rest = partitions.find(({ name }) => name === restOf(table))
    if (rest && (endOf(partitions) ?? '') >= until) continue
    if (rest && database.engine === 'postgres' && (await isUnused(database.db, rest, now))) await detach(database, rest)
    await addMonths(database.db, table, now, until)
  }
}

/** Whether a partition is empty and stays so for now: nobody misses it. */
async function isUnused(db: Db, { name, lower }: Partition, now: Date): Promise<boolean> {
  return lower !== null && lower > idAt(new Date(now.getTime() + DAY_MS)) && !(await newestOf(db, name))
}

function addMonths(db: Db, table: PartitionedTable, now: Date, until: string): Promise<void> {
  return db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    await db.run(LOCK_WAIT)
    const partitions = (await listPartitions(db)).filter((partition) => partition.table === table)
    const rest = restOf(table)
    const attached = partitions.find(({ name }) => name === rest)
    let end = endOf(partitions)
    if (attached && (end ?? '') >= until) return
    if (attached) await db.run(sql`alter table ${raw(table)} detach partition ${raw(rest)}`)
    const newest = await newestOf(db, rest)
    if (newest) {
      // What came after the last month becomes a partition like the others.
      const [name, upper] = [nameOf(table, end), idAt(startOfMonth(later(momentOf(newest), now), 1))]
      await db.run(sql`alter table ${raw(rest)} rename to ${raw(name)}`)
      await db.run(sql`alter table ${raw(table)} attach partition ${raw(name)} for values ${bounds(end, upper)}`)
      end = upper
    } else await db.run(sql`drop table if exists ${raw(rest)}`)
    while (end === null || end < until) {
      const upper = idAt(startOfMonth(end === null ? now : later(momentOf(end), now), 1))
      await addPartition(db, table, nameOf(table, end), end, upper)
      end = upper
    }
    await addPartition(db, table, rest, end, null)
  })
}

function addPartition(db: Db, table: PartitionedTable, name: string, lower: string | null, upper: string | null) {
  return db.run(sql`select add_partition(${table}, ${name}, ${lower}, ${upper})`)
}

function bounds(lower: string | null, upper: string): Sql {
  return raw(`from (${lower === null ? 'minvalue' : `'${lower}'`}) to ('${upper}')`)
}

/** The newest id in a partition; undefined if it is empty or does not exist. */
async function newestOf(db: Db, name: string): Promise<string | undefined> {
  const { exists } = await db.one<{ exists: boolean }>(sql`select to_regclass(${name}) is not null as exists`)
  if (!exists) return undefined
  return (await db.find<{ id: string }>(sql`select id from ${raw(name)} order by id desc limit 1`))?.id
}

/** `notification_202612` for what begins in that month. */
function nameOf(table: PartitionedTable, lower: string | null): string {
  return `${table}_${lower === null ? 'before' : momentOf(lower).toISOString().slice(0, 7).replace('-', '')}`
}

/** Where a partition begins that is not the first. */
export function startOfMonth(time: Date, monthsLater: number): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + monthsLater))
}

const later = (one: Date, other: Date) => (one > other ? one : other)

/** Lists the partitions of a table in which everything is older than `before`. */
export function findExpired(partitions: readonly Partition[], table: PartitionedTable, before: Date): Partition[] {
  const bound = idAt(before)
  return partitions.filter(
    (partition) => partition.table === table && partition.upper !== null && partition.upper <= bound,
  )
}

/** How far partitions reach beyond now, in seconds: that of the table with the fewest. */
export function reachOf(partitions: readonly Partition[], clock: Clock): number {
  const ends = PARTITIONED.map((table) => endOf(partitions.filter((partition) => partition.table === table)))
  const first = Math.min(...ends.map((end) => (end === null ? 0 : momentOf(end).getTime())))
  return (first - clock.now().getTime()) / 1000
}

/** Drops a partition. Nobody waits for it: it waits for whoever uses the table, and whoever comes does without it. */
export async function dropPartition(database: Opened, partition: Partition): Promise<void> {
  await detach(database, partition)
  await dropTable(database.db, partition.name)
}

/** Drops the partitions that were detached when something kept them from being dropped. */
export async function dropDetached({ db }: Opened): Promise<void> {
  const rows = await db.many<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = (select relnamespace from pg_class where oid = 'notification'::regclass)
      and relkind = 'r' and not relispartition and relname ~ '^(notification|audit_entry)_(before|[0-9]{6})$'`)
  for (const { name } of rows) await dropTable(db, name)
}

async function detach({ db, pool, engine }: Opened, { table, name, isPending }: Partition): Promise<void> {
  if (engine === 'embedded') await db.run(sql`alter table ${raw(table)} detach partition ${raw(name)}`)
  // Outside a transaction. If it takes longer than statements may take, it is finished another time.
  else await pool.query(`alter table ${table} detach partition ${name} ${isPending ? 'finalize' : 'concurrently'}`)
}

function dropTable(db: Db, name: string): Promise<void> {
  return db.transaction(async (db) => {
    await db.run(LOCK_WAIT)
    await db.run(sql`drop table if exists ${raw(name)}`)
  })
}

/** Refreshes what the planner knows of the tables as a whole, which PostgreSQL does for their partitions alone. */
export async function analyzePartitioned(db: Db): Promise<void> {
  for (const table of PARTITIONED) await db.run(sql`analyze ${raw(table)}`)
}
