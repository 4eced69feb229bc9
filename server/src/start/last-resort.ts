import type { Logger } from 'pino'
import type { Troubles } from '../base/troubles.js'

/**
 * For mistakes of ours that nothing else caught. A promise that failed without anybody waiting for it broke only what
 * it was for, so the service goes on and health tells of it. After an exception nobody knows what is half done, so what
 * is under way is brought to its end, and the process leaves for a new one.
 */
export function catchTheRest(log: Logger, troubles: Troubles, drain: () => void): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: asError(reason) }, 'a failure that nobody waited for')
    troubles.add('Something failed that nobody waited for: see the log.')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: asError(error) }, 'a failure that nothing caught; stopping')
    troubles.add('Something failed that nothing caught, and the process stops: see the log.')
    drain()
  })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
