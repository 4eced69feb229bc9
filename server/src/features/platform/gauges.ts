import type { Deps } from '../../deps.js'
import { findChainLag } from '../../foundation/chain/lag.js'
import { getQueueState } from '../../foundation/jobs/queue.js'
import type { Hub } from '../live/hub.js'
import { countReembedded } from '../search/rebuild.js'
import { countDeliveries } from '../webhooks/queries.js'
import { createProbe } from './probe.js'

/** Adds the gauges that show the state of the service. */
export function addGauges(deps: Deps, hub: Hub, keptMs: number): void {
  const { metrics, db, log } = deps
  const onError = ({ message }: Error) => log.warn({ message }, 'a gauge cannot be read')
  const probe = <T>(read: () => Promise<T>) => createProbe(read, { keptMs, onError })
  const queue = probe(() => getQueueState(deps))
  metrics.gauge('rookery_jobs_waiting', 'Jobs that are due or scheduled.', async () => (await queue()).value?.waiting)
  metrics.gauge('rookery_jobs_failed', 'Jobs that gave up.', async () => (await queue()).value?.failed)
  metrics.gauge(
    'rookery_jobs_oldest_due_seconds',
    'How long the oldest due job has waited.',
    async () => (await queue()).value?.oldestDueSeconds,
  )
  const reembedded = probe(() => countReembedded(db))
  metrics.gauge(
    'rookery_search_reembedded_texts',
    'Texts that have been embedded with a new model so far.',
    async () => (await reembedded()).value,
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
  if (!deps.chain) return
  const chain = probe(() => findChainLag({ ...deps, startBlock: deps.config.CHAIN_START_BLOCK }))
  const lag = async (part: 'lagBlocks' | 'lagSeconds' | 'headAgeSeconds') => (await chain()).value?.[part]
  metrics.gauge('rookery_chain_lag_blocks', 'Blocks that are not applied yet.', () => lag('lagBlocks'))
  metrics.gauge('rookery_chain_lag_seconds', 'How much older the newest applied block is than the newest block.', () =>
    lag('lagSeconds'),
  )
  metrics.gauge('rookery_chain_head_age_seconds', 'Age of the newest block.', () => lag('headAgeSeconds'))
}
