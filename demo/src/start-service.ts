import { resolve } from 'node:path'
import { startProgram, type ToldProgram } from '@rookery/tooling/start-program'
import { UsageError } from './usage-error.js'

/** Starts the service on its own folder, isolated from the environment's configuration. With `clock`, it is told the time. */
export function startService({
  folder,
  port,
  chainPort,
  clock,
}: {
  folder: string
  port: number
  chainPort: number
  clock?: Date | undefined
}): Promise<ToldProgram> {
  return startProgram({
    dataDir: resolve(folder),
    env: {
      PORT: String(port),
      CHAIN_PORT: String(chainPort),
      LOG_LEVEL: 'error',
      ...(clock && { CLOCK: clock.toISOString() }),
    },
    isToldTime: clock !== undefined,
    showErrors: true,
    // The demo finishes what it is doing before it stops the service.
    detached: true,
  }).catch((error: Error) => {
    throw new UsageError(error.message)
  })
}
