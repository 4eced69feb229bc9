import type { Deps } from '../../deps.js'
import { dispatchEvents, skipUnwanted } from './dispatch.js'
import { createPacedTask } from './paced-task.js'

/** Inserts deliveries of events for webhooks. The queue sends them. */
export interface WebhookDispatcher {
  /** Inserts the deliveries of all events so far. */
  drain(): Promise<void>
  /** Inserts deliveries as events arrive, from now on. */
  start(): void
  stop(): Promise<void>
}

// How often the log is read while events keep coming, and how often it is skipped while there are no webhooks.
const DISPATCH_EVERY_MS = 100
const SKIP_EVERY_MS = 1_000

type DispatcherDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'ids' | 'mediaUrls' | 'queue' | 'orderer' | 'log'>

export function createWebhookDispatcher(deps: DispatcherDeps): WebhookDispatcher {
  let isStopping = false

  /** Returns the pause in milliseconds before the log is read again. */
  async function dispatch(): Promise<number> {
    if (await skipUnwanted(deps.db)) return SKIP_EVERY_MS
    while (!isStopping && (await dispatchEvents(deps)) > 0);
    return DISPATCH_EVERY_MS
  }

  const task = createPacedTask(dispatch, (error) => deps.log.warn({ message: error.message }, 'webhooks wait'))

  return {
    async drain() {
      await deps.orderer.settle()
      await dispatch()
    },
    start() {
      deps.orderer.onOrdered(task.request)
      task.request()
    },
    async stop() {
      isStopping = true
      await task.stop()
    },
  }
}
