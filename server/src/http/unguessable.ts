import type { Endpoint } from '@rookery/api'

/**
 * Whether the answer to a call holds a new credential. Whoever repeats the call with its Idempotency-Key gets the answer
 * again, and of the old credential nothing is left that could be asked for, so the Idempotency-Key has to be a secret too.
 */
export function issuesCredential({ output }: Endpoint): boolean {
  const { properties = {} } = output as { readonly properties?: object }
  return 'apiKey' in properties || 'refreshToken' in properties
}

/** What an Idempotency-Key that nobody can guess looks like. */
export const UNGUESSABLE =
  'must be random where the answer holds a credential: a version 4 UUID, 32 or more hexadecimal digits, or 22 or more ' +
  'characters of base64url'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
// Random ones have letters; a counter has none.
const HEXADECIMAL = /^(?=.*[a-f])[0-9a-f]{32,}$/i
// Sixteen random bytes without capitals or without small letters are one in 50,000; words and counters mostly have one kind.
const BASE64URL = /^(?=.*[a-z])(?=.*[A-Z])[\w-]{22,}$/
const LEAST_DIFFERENT = 8

/** Whether a text has the form of 128 random bits; the UUIDs that everybody uses have 122. */
export function isUnguessable(text: string): boolean {
  const hasForm = UUID.test(text) || HEXADECIMAL.test(text) || BASE64URL.test(text)
  return hasForm && new Set(text).size >= LEAST_DIFFERENT
}
