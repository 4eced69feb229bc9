import type { Deps } from '../../deps.js'
import { momentOf } from '../../foundation/db/id-at.js'
import {
  addPartitions,
  analyzePartitioned,
  dropDetached,
  dropPartition,
  findExpired,
  listPartitions,
  type Partition,
  type PartitionedTable,
} from '../../foundation/db/partitions.js'
import type { Job } from '../../foundation/jobs/worker.js'
import { emptyPartition } from '../notifications/empty-partition.js'

const DAY_MS = 24 * 60 * 60_000
const AGAIN_MS = DAY_MS
// Something holds the tables, such as a dump of the database.
const RETRY_MS = 10 * 60_000

/** Adds partitions for the months to come and drops those whose time is over. Returns when to do so again. */
export async function keepPartitions(
  deps: Pick<Deps, 'db' | 'database' | 'clock' | 'config' | 'log'>,
  job: Pick<Job, 'stopping' | 'rest'>,
): Promise<Date> {
  const { db, database, clock, log } = deps
  const after = (ms: number) => new Date(clock.now().getTime() + ms)
  try {
    await addPartitions(database, clock)
    await dropDetached(database)
    for (const partition of expiredOf(deps, await listPartitions(db))) {
      // Each row is counted in its agent's inbox. Those of other tables are counted nowhere.
      if (partition.table === 'notification' && !partition.isPending) await emptyPartition(db, partition.name, job)
      if (job.stopping()) return clock.now()
      await dropPartition(database, partition)
      log.info({ partition: partition.name }, 'dropped what was kept for long enough')
    }
    await analyzePartitioned(db)
    return after(AGAIN_MS)
  } catch (error) {
    log.warn({ message: (error as Error).message }, 'partitions are added and dropped later')
    return after(RETRY_MS)
  }
}

/** How long the partition that is to be dropped first has been due, in seconds; 0 if none is. */
export function overdueOf(deps: Pick<Deps, 'clock' | 'config'>, partitions: readonly Partition[]): number {
  const now = deps.clock.now().getTime()
  const overdue = expiredOf(deps, partitions).map(
    ({ table, upper }) => now - momentOf(upper ?? '').getTime() - daysOf(deps.config)[table] * DAY_MS,
  )
  return Math.max(0, ...overdue) / 1000
}

const daysOf = (config: Deps['config']): Record<PartitionedTable, number> => ({
  notification: config.KEEP_NOTIFICATIONS_DAYS,
  audit_entry: config.KEEP_AUDIT_DAYS,
})

function expiredOf({ clock, config }: Pick<Deps, 'clock' | 'config'>, partitions: readonly Partition[]): Partition[] {
  const days = daysOf(config)
  const before = (table: PartitionedTable) => new Date(clock.now().getTime() - days[table] * DAY_MS)
  const tables = (Object.keys(days) as PartitionedTable[]).filter((table) => days[table] > 0)
  return tables.flatMap((table) => findExpired(partitions, table, before(table)))
}
