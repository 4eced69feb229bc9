import type { Deps } from '../../deps.js'
import { createPacedTask } from '../webhooks/paced-task.js'
import { makeAlerts, skipUnwanted } from './make-alerts.js'

/** Makes alerts of events. */
export interface AlertMaker {
  /** Makes the alerts of all events so far. */
  drain(): Promise<void>
  /** Makes alerts as events arrive, from now on. */
  start(): void
  stop(): Promise<void>
}

// How often the log is read while events keep coming, and how often it is skipped while no wallet is signed in.
const READ_EVERY_MS = 500
const SKIP_EVERY_MS = 2_000

export function createAlertMaker(deps: Pick<Deps, 'db' | 'clock' | 'queue' | 'orderer' | 'log'>): AlertMaker {
  let isStopping = false

  /** Returns the pause in milliseconds before the log is read again. */
  async function make(): Promise<number> {
    if (await skipUnwanted(deps.db)) return SKIP_EVERY_MS
    while (!isStopping && (await makeAlerts(deps)) > 0);
    return READ_EVERY_MS
  }

  const task = createPacedTask(make, (error) => deps.log.warn({ message: error.message }, 'alerts wait'))

  return {
    async drain() {
      await deps.orderer.settle()
      await make()
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
