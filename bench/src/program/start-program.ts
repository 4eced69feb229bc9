import { UsageError } from '@rookery/tooling/command'
import { isBuilt, type Program, startProgram as start } from '@rookery/tooling/start-program'

export type { Program }

const READY_WITHIN_MS = 60_000

interface Options {
  readonly nodeFlags?: readonly string[]
  /** Another folder of the repository than this one. */
  readonly checkout?: string
  /** A folder that outlives the program. */
  readonly dataDir?: string
}

/** Starts the program as its operator does, without rate limits, and waits until it says that it is ready. */
export function startProgram(env: Readonly<Record<string, string>>, options: Options = {}): Promise<Program> {
  requireBuilt(options.checkout)
  return start({ env, ...options, showErrors: true, readyWithinMs: READY_WITHIN_MS })
}

/** Says what to do where there is nothing to start. */
export function requireBuilt(checkout?: string): void {
  if (isBuilt(checkout)) return
  const where = checkout === undefined ? '' : ` in ${checkout}`
  const command = checkout === undefined ? 'npm run build' : `(cd ${checkout} && npm ci && npm run build)`
  throw new UsageError(`The service${where} is not built: run ${command}`)
}
