import { UsageError } from '@rookery/tooling/command'
import { isBuilt, type Program, startProgram as start } from '@rookery/tooling/start-program'

export type { Program }

const READY_WITHIN_MS = 60_000

interface Options {
  readonly nodeFlags?: readonly string[]
  /** Another checkout of the repository. */
  readonly checkout?: string
  /** A folder that outlives the program. */
  readonly dataDir?: string
  readonly readyWithinMs?: number
  /** A file for what it logs. Default: memory. */
  readonly logFile?: string
}

/** Starts the program as an operator would, without rate limits, and waits until it is ready. */
export function startProgram(env: Readonly<Record<string, string>>, options: Options = {}): Promise<Program> {
  requireBuilt(options.checkout)
  return start({ env, showErrors: true, readyWithinMs: READY_WITHIN_MS, ...options })
}

/** Throws with the command to run if the service is not built. */
export function requireBuilt(checkout?: string): void {
  if (isBuilt(checkout)) return
  const where = checkout === undefined ? '' : ` in ${checkout}`
  const command = checkout === undefined ? 'npm run build' : `(cd ${checkout} && npm ci && npm run build)`
  throw new UsageError(`The service${where} is not built: run ${command}`)
}
