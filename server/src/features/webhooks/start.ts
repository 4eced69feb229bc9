import type { Deps } from '../../deps.js'
import { dispatchEvents, skipUnwanted } from './dispatch.js'
import { createPaced } from './paced.js'

/** Lays down deliveries of events for webhooks. The queue sends them. */
export interface WebhookDispatcher {
  /** Lays down deliveries for everything that has happened, here and now. */
  drain(): Promise<void>
  /** Lays them down from now on. */
  start(): void
  stop(): Promise<void>
}

// How often the log is read while events keep coming, and how often it is passed over while there is no webhook.
const DISPATCH_EVERY_MS = 100
const SKIP_EVERY_MS = 1_000

type DispatcherDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'orderer' | 'log'>

export function createWebhookDispatcher(deps: DispatcherDeps): WebhookDispatcher {
  let isStopping = false

  /** Returns how long to wait before the log is read again. */
  async function dispatch(): Promise<number> {
    if (await skipUnwanted(deps.db)) return SKIP_EVERY_MS
    while (!isStopping && (await dispatchEvents(deps)) > 0);
    return DISPATCH_EVERY_MS
  }

  const dispatching = createPaced(dispatch, (error) => deps.log.warn({ message: error.message }, 'webhooks wait'))

  return {
    async drain() {
      await deps.orderer.settle()
      await dispatch()
    },
    start() {
      deps.orderer.onOrdered(dispatching.ask)
      dispatching.ask()
    },
    async stop() {
      isStopping = true
      await dispatching.stop()
    },
  }
}
