import { plainName } from './names.js'

// Far more than any input of the service has. Deeper ones would exhaust the stack where they are written as JSON.
const MOST_DEPTH = 32
const LONE_SURROGATE = /\p{Cs}/u

/** Which argument, of those that a tool knows, cannot be sent at all, and why. The service itself checks all others. */
export function findMalformed(input: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(input)) {
    const problem = isTooDeep(value)
      ? `must not be nested more than ${MOST_DEPTH} levels deep`
      : typeof value === 'string' && LONE_SURROGATE.test(value)
        ? 'must be well-formed Unicode: it has half of a surrogate pair'
        : undefined
    if (problem !== undefined) return `${plainName(name)}: ${problem}.`
  }
  return undefined
}

// Level by level: a walk that calls itself would exhaust the stack.
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= MOST_DEPTH; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}
