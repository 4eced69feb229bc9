import type { Deps } from '../../deps.js'
import type { Hub } from '../live/hub.js'
import { countReembedded } from '../search/rebuild.js'
import { countDeliveries } from '../webhooks/queries.js'
import { createProbe } from './probe.js'
import type { State } from './state.js'

/** Adds the gauges that show the state of the service. */
export function addGauges(deps: Deps, hub: Hub, { queue, chain }: State, keptMs: number): void {
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
