import type { Logger } from 'pino'
import type { Orderer } from './order.js'
import { createPacedTask } from './paced-task.js'

/** Reads the log of events up to its end, again and again. */
export interface LogReader {
  /** Reads all events so far. */
  drain(): Promise<void>
  /** Reads as events arrive, from now on. */
  start(): void
  stop(): Promise<void>
}

/**
 * `read` does what is to be done with the events after those it has read, until `isStopping` says otherwise, and returns
 * the pause in milliseconds before the next time. A failure is logged as `waits` and tried again.
 */
export function createLogReader(
  { orderer, log }: { readonly orderer: Orderer; readonly log: Logger },
  waits: string,
  read: (isStopping: () => boolean) => Promise<number>,
): LogReader {
  let isStopping = false
  const readOn = () => read(() => isStopping)
  const task = createPacedTask(readOn, (error) => log.warn({ message: error.message }, waits))
  return {
    async drain() {
      await orderer.settle()
      await readOn()
    },
    start() {
      orderer.onOrdered(task.request)
      task.request()
    },
    async stop() {
      isStopping = true
      await task.stop()
    },
  }
}
