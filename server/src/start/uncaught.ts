import type { Logger } from 'pino'
import type { Troubles } from '../base/troubles.js'

/**
 * Handles bugs that nothing else caught. An unhandled rejection affects only its own operation, so the service continues
 * and reports it in health. After an uncaught exception the state is unknown, so the process finishes what is under way
 * and exits for a new one to take over.
 */
export function handleUncaught(log: Logger, troubles: Troubles, drain: () => void): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: toError(reason) }, 'a failure that nobody waited for')
    troubles.add('Something failed that nobody waited for: see the log.')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: toError(error) }, 'a failure that nothing caught; stopping')
    troubles.add('Something failed that nothing caught, and the process stops: see the log.')
    drain()
  })
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
