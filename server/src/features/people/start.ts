import type { Deps } from '../../deps.js'
import { createPacedTask } from '../webhooks/paced-task.js'
import { MOST_AT_ONCE, makeAlerts, skipUnwanted } from './make-alerts.js'

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
  // Fewer after a failure, so that a set of events that takes too long does not hold up all that come after it.
  let atOnce = MOST_AT_ONCE

  /** Returns the pause in milliseconds before the log is read again. */
  async function make(): Promise<number> {
    if (await skipUnwanted(deps.db)) return SKIP_EVERY_MS
    try {
      while (!isStopping && (await makeAlerts(deps, atOnce)) > 0) atOnce = Math.min(MOST_AT_ONCE, atOnce * 2)
    } catch (error) {
      atOnce = Math.max(1, Math.floor(atOnce / 4))
      throw error
    }
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
