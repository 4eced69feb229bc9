import { isBuilt, type Program, startProgram as start } from '../../../scripts/start-program.mjs'
import { UsageError } from '../usage/command.js'

export type { Program }

const READY_WITHIN_MS = 60_000

/** Starts the program as its operator does, without rate limits, and waits until it says that it is ready. */
export function startProgram(
  env: Readonly<Record<string, string>>,
  { nodeFlags = [] as readonly string[] } = {},
): Promise<Program> {
  if (!isBuilt()) throw new UsageError('The service is not built: run npm run build.')
  return start({ env, nodeFlags, showErrors: true, readyWithinMs: READY_WITHIN_MS })
}
