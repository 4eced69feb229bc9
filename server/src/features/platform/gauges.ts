import type { Deps } from '../../deps.js'
import { findChainLag } from '../../foundation/chain/lag.js'
import { getQueueState } from '../../foundation/jobs/queue.js'
import type { Hub } from '../live/hub.js'
import { countReembedded } from '../search/rebuild.js'
import { countDeliveries } from '../webhooks/queries.js'
import { createKnown } from './known.js'

/** Adds the gauges that say how the service stands. */
export function addGauges(deps: Deps, hub: Hub, keptMs: number): void {
  const { metrics, db, log } = deps
  const onError = ({ message }: Error) => log.warn({ message }, 'a gauge cannot be read')
  const known = <T>(read: () => Promise<T>) => createKnown(read, { keptMs, onError })
  const queue = known(() => getQueueState(deps))
  metrics.gauge('rookery_jobs_waiting', 'Jobs that are due or scheduled.', async () => (await queue()).value?.waiting)
  metrics.gauge('rookery_jobs_failed', 'Jobs that gave up.', async () => (await queue()).value?.failed)
  metrics.gauge(
    'rookery_jobs_oldest_due_seconds',
    'How long the oldest due job has waited.',
    async () => (await queue()).value?.oldestDueSeconds,
  )
  const reembedded = known(() => countReembedded(db))
  metrics.gauge(
    'rookery_search_reembedded_texts',
    'Texts that a new embedding model has taken in so far.',
    async () => (await reembedded()).value,
  )
  metrics.gauge('rookery_streams_open', 'Live connections to this process.', async () => hub.count())
  const untold = known(() => hub.lag())
  metrics.gauge(
    'rookery_events_untold',
    'Events in the log that this process has not told yet.',
    async () => (await untold()).value,
  )
  const deliveries = known(() => countDeliveries(db))
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
  if (!deps.chain) return
  const chain = known(() => findChainLag({ ...deps, startBlock: deps.config.CHAIN_START_BLOCK }))
  const lag = async (part: 'lagBlocks' | 'lagSeconds' | 'headAgeSeconds') => (await chain()).value?.[part]
  metrics.gauge('rookery_chain_lag_blocks', 'Blocks that are not applied yet.', () => lag('lagBlocks'))
  metrics.gauge('rookery_chain_lag_seconds', 'How much older the newest applied block is than the newest block.', () =>
    lag('lagSeconds'),
  )
  metrics.gauge('rookery_chain_head_age_seconds', 'Age of the newest block.', () => lag('headAgeSeconds'))
}
