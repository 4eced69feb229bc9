import type { Deps } from '../../deps.js'
import { createLogReader, type LogReader } from '../../foundation/events/log-reader.js'
import { MOST_AT_ONCE, makeAlerts, skipUnwanted } from './make-alerts.js'

// How often the log is read while events keep coming, and how often it is skipped while no wallet is signed in.
const READ_EVERY_MS = 500
const SKIP_EVERY_MS = 2_000

/** Makes alerts of events. */
export function createAlertMaker(deps: Pick<Deps, 'db' | 'clock' | 'queue' | 'orderer' | 'log'>): LogReader {
  // Fewer after a failure, so that a set of events that takes too long does not hold up all that come after it.
  let atOnce = MOST_AT_ONCE

  return createLogReader(deps, 'alerts wait', async (isStopping) => {
    if (await skipUnwanted(deps.db)) return SKIP_EVERY_MS
    try {
      while (!isStopping() && (await makeAlerts(deps, atOnce)) > 0) atOnce = Math.min(MOST_AT_ONCE, atOnce * 2)
    } catch (error) {
      atOnce = Math.max(1, Math.floor(atOnce / 4))
      throw error
    }
    return READ_EVERY_MS
  })
}
