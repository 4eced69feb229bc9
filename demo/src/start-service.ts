import { resolve } from 'node:path'
import { type Program, startProgram } from '@rookery/tooling/start-program'
import { UsageError } from './options.js'

/** Starts the service on its own folder, isolated from the environment's configuration. */
export function startService({
  folder,
  port,
  chainPort,
}: {
  folder: string
  port: number
  chainPort: number
}): Promise<Program> {
  return startProgram({
    dataDir: resolve(folder),
    env: { PORT: String(port), CHAIN_PORT: String(chainPort), LOG_LEVEL: 'error' },
    showErrors: true,
    // The demo finishes what it is doing before it stops the service.
    detached: true,
  }).catch((error: Error) => {
    throw new UsageError(error.message)
  })
}
