import type { Deps } from '../../deps.js'
import { withLongTimeouts } from '../../foundation/db/db.js'
import { forgetFreeNames } from '../../foundation/held-names.js'
import { deleteOldAnswers } from '../../foundation/idempotency.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { deleteGoneInstances } from '../../foundation/peers/instances.js'
import { deleteOldRefusals } from '../../foundation/refusals/queries.js'
import { deleteExpiredChallenges } from '../agents/challenges.js'
import { deleteRevokedKeys } from '../agents/keys.js'
import { storeMissingCodes } from '../agents/verification-codes.js'
import { deleteOldApprovals, expireApprovals } from '../control/approvals.js'
import { deleteOldPreparedTrades } from '../control/prepared-trades.js'
import { deleteOldUsage } from '../control/rules.js'
import { deleteExpiredTickets } from '../live/tickets.js'
import { deleteOldLocalLogins } from '../local/login.js'
import { removeUnfinishedFiles } from '../media/store.js'
import { deleteOldAttempts } from '../owners/login.js'
import { deleteOldSessions } from '../owners/sessions.js'
import { deleteOldAlerts } from '../people/alerts.js'
import { resealBrowsers } from '../people/reseal.js'
import { deleteOldSubscriptions } from '../people/subscriptions.js'
import { deleteOldBands } from '../tweets/near-duplicates.js'
import { deleteOldViews } from '../tweets/view-counts.js'
import { adoptDeliveries } from '../webhooks/enqueue.js'
import { resealSecrets } from '../webhooks/secret.js'
import { deleteOldDeliveries } from '../webhooks/send.js'
import { countDays } from './count-days.js'
import { keepPartitions } from './retention.js'
import { listChangedTables, vacuumTable } from './vacuum.js'

const CLEAN_EVERY_MS = 10 * 60_000
const VACUUM_EVERY_MS = 30_000

export function platformJobs({
  db,
  clock,
  queue,
  ids,
  events,
  secrets,
  database,
  files,
  config,
  log,
}: Deps): Pick<JobHandlers, 'delete_expired' | 'vacuum_database' | 'keep_partitions' | 'count_days'> {
  // There may be many rows to delete, as after an outage.
  const slow = withLongTimeouts(db)
  const later = (ms: number) => ({ again: new Date(clock.now().getTime() + ms) })
  return {
    async delete_expired() {
      await deleteExpiredChallenges({ db: slow, clock })
      await deleteOldAnswers({ db: slow, clock })
      await deleteOldBands({ db: slow, clock })
      await deleteOldViews({ db: slow, clock })
      await deleteExpiredTickets({ db: slow, clock })
      await deleteOldDeliveries({ db: slow, clock, config })
      await adoptDeliveries({ db: slow, queue })
      await deleteOldAttempts({ db: slow, clock })
      await deleteOldSessions({ db: slow, clock })
      await deleteOldAlerts({ db: slow, clock })
      await deleteOldSubscriptions({ db: slow, clock })
      await deleteOldLocalLogins({ db: slow, clock })
      await deleteOldPreparedTrades({ db: slow, clock })
      await deleteOldRefusals({ db: slow, clock })
      await forgetFreeNames(slow, { clock })
      await deleteOldUsage({ db: slow, clock })
      await deleteRevokedKeys({ db: slow, clock })
      await deleteOldApprovals({ db: slow, clock, config })
      await deleteGoneInstances({ db: slow })
      await expireApprovals({ db: slow, clock, ids, events, secrets })
      await storeMissingCodes({ db: slow, secrets })
      if (secrets.ids.length > 1) {
        await resealSecrets({ db: slow, secrets })
        await resealBrowsers({ db: slow, secrets })
      }
      // Last, because the file store may be unreachable.
      await removeUnfinishedFiles({ db: slow, clock, files })
      return later(CLEAN_EVERY_MS)
    },
    async keep_partitions(job) {
      return { again: await keepPartitions({ db: slow, database, clock, config, log }, job) }
    },
    async vacuum_database(job) {
      const tables = database.engine === 'embedded' ? await listChangedTables(db) : []
      for (const table of tables) {
        if (job.stopping()) break
        await vacuumTable(db, table)
        await job.rest()
      }
      return later(VACUUM_EVERY_MS)
    },
    count_days: (job) => countDays({ db: slow, clock }, job),
  }
}

/** Enqueues the recurring jobs, unless they are in the queue already. */
export async function scheduleUpkeep({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  await queue.enqueue(db, 'delete_expired', {}, { dedupeKey: 'delete_expired' })
  await queue.enqueue(db, 'vacuum_database', {}, { dedupeKey: 'vacuum_database' })
  await queue.enqueue(db, 'read_balances', {}, { dedupeKey: 'read_balances' })
  await queue.enqueue(db, 'compare_prices', {}, { dedupeKey: 'compare_prices' })
  await queue.enqueue(db, 'keep_partitions', {}, { dedupeKey: 'keep_partitions' })
  await queue.enqueue(db, 'delete_old_events', {}, { dedupeKey: 'delete_old_events' })
  await queue.enqueue(db, 'rescan_skills', {}, { dedupeKey: 'rescan_skills' })
  await queue.enqueue(db, 'release_usernames', {}, { dedupeKey: 'release_usernames' })
  await queue.enqueue(db, 'build_map', {}, { dedupeKey: 'build_map' })
  await queue.enqueue(db, 'count_days', {}, { dedupeKey: 'count_days' })
}
