import { RookeryError } from '@rookery/sdk'

/** The refusal of a call that must not work. */
export async function refusal(call: Promise<unknown>): Promise<RookeryError> {
  const end = await call.then(
    () => 'it was answered',
    (error: unknown) => error,
  )
  if (end instanceof RookeryError) return end
  throw new Error(`Expected a refusal, but ${String(end)}`)
}

/** Name and status of a refusal, for comparing in one line. */
export async function refused(call: Promise<unknown>): Promise<string> {
  const { status, code } = await refusal(call)
  return `${status} ${code}`
}

/** How a call ended: `done`, or name and status of its refusal. */
export function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: unknown) => refused(Promise.reject(error)),
  )
}
