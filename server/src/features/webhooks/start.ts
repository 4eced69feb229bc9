import type { Deps } from '../../deps.js'
import { createLogReader, type LogReader } from '../../foundation/events/log-reader.js'
import { dispatchEvents, skipUnwanted } from './dispatch.js'

// How often the log is read while events keep coming, and how often it is skipped while there are no webhooks.
const DISPATCH_EVERY_MS = 100
const SKIP_EVERY_MS = 1_000

type DispatcherDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'ids' | 'mediaUrls' | 'queue' | 'orderer' | 'log'>

/** Inserts deliveries of events for webhooks. The queue sends them. */
export function createWebhookDispatcher(deps: DispatcherDeps): LogReader {
  return createLogReader(deps, 'webhooks wait', async (isStopping) => {
    if (await skipUnwanted(deps.db)) return SKIP_EVERY_MS
    while (!isStopping() && (await dispatchEvents(deps)) > 0);
    return DISPATCH_EVERY_MS
  })
}
