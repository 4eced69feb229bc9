import { RookeryError } from '@rookery/sdk'

/** Returns the error of a call that must fail. */
export async function refusal(call: Promise<unknown>): Promise<RookeryError> {
  const end = await call.then(
    () => 'it was answered',
    (error: unknown) => error,
  )
  if (end instanceof RookeryError) return end
  throw new Error(`Expected a refusal, but ${String(end)}`)
}

/** Returns the status and code of a refusal, for comparison in one line. */
export async function refused(call: Promise<unknown>): Promise<string> {
  const { status, code } = await refusal(call)
  return `${status} ${code}`
}

/** Returns the outcome of a call: `done`, or the status and code of its refusal. */
export function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: unknown) => refused(Promise.reject(error)),
  )
}
