import { findChainLag } from '../chain/lag.js'
import type { Deps } from '../deps.js'
import { getQueueState } from '../jobs/queue.js'
import { countReembedded } from '../search/rebuild.js'
import { countDeliveries } from '../webhooks/queries.js'

/** Adds the gauges that say how the service stands. */
export function measure(deps: Deps): void {
  const { metrics, db, hub } = deps
  const queue = inOneScrape(() => getQueueState(deps))
  metrics.gauge('rookery_jobs_waiting', 'Jobs that are due or scheduled.', async () => (await queue()).waiting)
  metrics.gauge('rookery_jobs_failed', 'Jobs that gave up.', async () => (await queue()).failed)
  metrics.gauge(
    'rookery_jobs_oldest_due_seconds',
    'How long the oldest due job has waited.',
    async () => (await queue()).oldestDueSeconds,
  )
  metrics.gauge('rookery_search_reembedded_texts', 'Texts that a new embedding model has taken in so far.', () =>
    countReembedded(db),
  )
  metrics.gauge('rookery_streams_open', 'Live connections to this process.', async () => hub.count())
  metrics.gauge('rookery_events_untold', 'Events in the log that this process has not told yet.', () => hub.lag())
  const deliveries = inOneScrape(() => countDeliveries(db))
  metrics.gauge(
    'rookery_webhook_deliveries_waiting',
    'Deliveries that are due or scheduled.',
    async () => (await deliveries()).waiting,
  )
  metrics.gauge(
    'rookery_webhook_deliveries_dead',
    'Deliveries that were given up.',
    async () => (await deliveries()).dead,
  )
  if (!deps.chain) return
  const chain = inOneScrape(() => findChainLag(deps))
  const lag = async (part: 'lagBlocks' | 'lagSeconds' | 'headAgeSeconds') => (await chain())?.[part] ?? Number.NaN
  metrics.gauge('rookery_chain_lag_blocks', 'Blocks that are not applied yet.', () => lag('lagBlocks'))
  metrics.gauge('rookery_chain_lag_seconds', 'How much older the newest applied block is than the newest block.', () =>
    lag('lagSeconds'),
  )
  metrics.gauge('rookery_chain_head_age_seconds', 'Age of the newest block.', () => lag('headAgeSeconds'))
}

const SCRAPE_MS = 1_000

/** Reads once for all gauges of a scrape. */
function inOneScrape<T>(read: () => Promise<T>): () => Promise<T> {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined
  return () => {
    const now = performance.now()
    if (reading && now - readAt < SCRAPE_MS) return reading
    readAt = now
    reading = read()
    return reading
  }
}
