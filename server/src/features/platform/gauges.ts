import type { Deps } from '../../deps.js'
import { type CacheCount, listCaches } from '../../foundation/cache-counts.js'
import { batchCounts } from '../../foundation/db/batch.js'
import { listPartitions, reachOf } from '../../foundation/db/partitions.js'
import { findReplayLag } from '../../foundation/db/standbys.js'
import { countBackfillLeft } from '../../foundation/jobs/backfill.js'
import type { Hub } from '../live/hub.js'
import { countReembedded } from '../search/rebuild.js'
import { countDeliveries } from '../webhooks/queries.js'
import { createProbe } from './probe.js'
import { overdueOf } from './retention.js'
import type { State } from './state.js'

/** Adds the gauges that show the state of the service. */
export function addGauges(deps: Deps, hub: Hub, state: State, keptMs: number): void {
  addProcessCounts(deps)
  addStandings(deps, state, keptMs)
  const { queue, chain } = state
  const { metrics, db, log } = deps
  const onError = ({ message }: Error) => log.warn({ message }, 'a gauge cannot be read')
  const probe = <T>(read: () => Promise<T>) => createProbe(read, { keptMs, onError })
  metrics.gauge('rookery_jobs_waiting', 'Jobs that are due or scheduled.', async () => (await queue()).value?.waiting)
  metrics.gauge('rookery_jobs_failed', 'Jobs that gave up.', async () => (await queue()).value?.failed)
  metrics.gauge(
    'rookery_jobs_oldest_due_seconds',
    'How long the oldest due job has waited.',
    async () => (await queue()).value?.oldestDueSeconds,
  )
  const states = ['due', 'scheduled', 'running', 'failed'] as const
  metrics.gauge(
    'rookery_jobs',
    'Jobs by kind and state.',
    async () =>
      (await queue()).value?.kinds.flatMap((counts) =>
        states.map((state) => ({ labels: { kind: counts.kind, state }, value: counts[state] })),
      ),
    ['kind', 'state'],
  )
  const reembedded = probe(() => countReembedded(db))
  metrics.gauge(
    'rookery_search_reembedded_texts',
    'Texts that have been embedded with a new model so far.',
    async () => (await reembedded()).value,
  )
  const backfilling = probe(() => countBackfillLeft(db))
  metrics.gauge(
    'rookery_backfill_rows_left',
    'Rows of earlier versions that an upgrade still has to do.',
    async () => (await backfilling()).value,
  )
  metrics.gauge('rookery_streams_open', 'Live connections to this process.', async () => hub.count())
  const unsent = probe(() => hub.lag())
  metrics.gauge(
    'rookery_events_untold',
    'Events in the log that this process has not sent yet.',
    async () => (await unsent()).value,
  )
  const deliveries = probe(() => countDeliveries(db))
  metrics.gauge(
    'rookery_webhook_deliveries_waiting',
    'Deliveries that are due or scheduled.',
    async () => (await deliveries()).value?.waiting,
  )
  metrics.gauge(
    'rookery_webhook_deliveries_dead',
    'Deliveries that were given up.',
    async () => (await deliveries()).value?.dead,
  )
  const partitions = probe(() => listPartitions(db))
  metrics.gauge(
    'rookery_partitions',
    'Partitions of tables that grow by time.',
    async () => (await partitions()).value?.length,
  )
  metrics.gauge('rookery_partitions_ahead_seconds', 'How far into the future there are partitions.', async () => {
    const { value } = await partitions()
    return value && reachOf(value, deps.clock)
  })
  metrics.gauge(
    'rookery_partitions_overdue_seconds',
    'How long the oldest partition should have been dropped.',
    async () => {
      const { value } = await partitions()
      return value && overdueOf(deps, value)
    },
  )
  const { callsLeft } = deps.social
  if (callsLeft)
    metrics.gauge('rookery_x_calls_left', 'Calls to X that are left of X_CALLS_PER_15_MIN.', () =>
      callsLeft().catch(() => undefined),
    )
  if (!deps.chain) return
  const lag = async (part: 'lagBlocks' | 'lagSeconds' | 'headAgeSeconds') => (await chain()).value?.[part]
  metrics.gauge('rookery_chain_lag_blocks', 'Blocks that are not applied yet.', () => lag('lagBlocks'))
  metrics.gauge('rookery_chain_lag_seconds', 'How long blocks have waited to be applied, at most.', () =>
    lag('lagSeconds'),
  )
  metrics.gauge('rookery_chain_head_age_seconds', 'Age of the newest block.', () => lag('headAgeSeconds'))
}

/** What this process has counted by itself. */
function addProcessCounts({ metrics, embedders }: Deps): void {
  metrics.counter('rookery_batches_total', 'Batches of requests handled together.', () => batchCounts.batches)
  metrics.counter('rookery_batch_requests_total', 'Requests in all of these batches.', () => batchCounts.requests)
  metrics.counter(
    'rookery_batch_wait_seconds_total',
    'How long requests waited for their batch to begin.',
    () => batchCounts.waitedMs / 1000,
  )
  const ofCaches = (read: (count: CacheCount) => number) =>
    listCaches().map(([cache, count]) => ({ labels: { cache }, value: read(count) }))
  metrics.counter('rookery_cache_hits_total', 'What a cache had.', () => ofCaches(({ hits }) => hits), ['cache'])
  metrics.counter('rookery_cache_misses_total', 'What it had not.', () => ofCaches(({ misses }) => misses), ['cache'])
  metrics.gauge('rookery_cache_entries', 'What is in a cache.', async () => ofCaches(({ size }) => size()), ['cache'])
  const failures = () => embedders.configured.failures?.()
  metrics.counter(
    'rookery_embeddings_failures_total',
    'Requests that the provider of embeddings did not answer.',
    () => failures()?.count,
  )
  metrics.gauge('rookery_embeddings_up', 'Whether the search model is loaded and answered the last time.', async () =>
    toNumber(embedders.configured.isReady() && failures()?.latest === undefined),
  )
}

/** How this process and what it stands on are doing. */
function addStandings(deps: Deps, { database, redisAway, disk }: State, keptMs: number): void {
  const { metrics, db, peers, draining, config } = deps
  metrics.gauge('rookery_ready', 'Whether callers should be sent to this process.', async () => {
    const { value } = await database()
    return toNumber(value !== undefined && !value.isReadOnly && !draining.isDraining())
  })
  metrics.gauge('rookery_database_up', 'Whether the database answers.', async () =>
    toNumber((await database()).value !== undefined),
  )
  metrics.gauge('rookery_database_read_only', 'Whether the database takes no writes, as a standby.', async () => {
    const { value } = await database()
    return value && toNumber(value.isReadOnly)
  })
  // An account without the right to see them sees none.
  const lag = createProbe(() => findReplayLag(db), { keptMs })
  metrics.gauge(
    'rookery_database_replay_lag_seconds',
    'How far the slowest standby is behind.',
    async () => (await lag()).value,
  )
  metrics.gauge('rookery_disk_short', 'Whether less disk is free than MIN_FREE_DISK_MB.', async () => {
    const { value } = await disk()
    return value && toNumber(value.shortage !== undefined)
  })
  metrics.gauge('rookery_peers_listening', 'Whether this process hears what others tell it to forget.', async () =>
    toNumber(peers.isListening()),
  )
  if (config.REDIS_URL)
    metrics.gauge('rookery_redis_up', 'Whether Redis answers.', async () =>
      toNumber((await redisAway()).value === false),
    )
}

const toNumber = (isSo: boolean) => (isSo ? 1 : 0)
