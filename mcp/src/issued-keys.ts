import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CallOptions, Client } from '@rookery/sdk'
import { type Arguments, callEndpoint, formatFailure, formatResult } from './call-tool.js'
import type { NamedEndpoint } from './choose.js'
import type { Schema } from './words.js'

/** An agent's new key, and who it is. */
export interface NewKey {
  readonly apiKey: string
  readonly username: string
  readonly claimUrl?: string
}

/** A place for keys on this machine. */
export interface KeyStore {
  /** Throws when a key could not be stored: it is shown only once. */
  check(): Promise<void>
  /** Stores a key, and says where. */
  keep(key: NewKey): Promise<string>
}

const ISSUING: ReadonlySet<string> = new Set(['registerAgent', 'recoverAgent', 'regenerateKey'])

/** Whether the answer of an endpoint has a new key. */
export function issuesKey({ name }: NamedEndpoint): boolean {
  return ISSUING.has(name)
}

/** Calls an endpoint that issues a key, stores the key and uses it from now on. The model reads where it is instead. */
export async function callAndKeep(
  client: Client,
  { name }: NamedEndpoint,
  input: Arguments,
  call: CallOptions,
  { keyStore, useKey }: { readonly keyStore: KeyStore; readonly useKey: (apiKey: string) => void },
): Promise<CallToolResult> {
  try {
    // Replacing the key of the same agent needs no room for another.
    if (name === 'registerAgent') await keyStore.check()
    const answer = (await callEndpoint(client, name, input, call)) as Partial<NewKey> & { agent?: { username: string } }
    if (typeof answer.apiKey !== 'string') return formatResult(name, answer)
    const { apiKey, claimUrl } = answer
    useKey(apiKey)
    const username = answer.agent?.username ?? (await client.as({ apiKey }).getMe()).username
    const message = await keyStore.keep({ apiKey, username, ...(claimUrl !== undefined && { claimUrl }) })
    return formatResult(name, { ...withoutKey(answer, apiKey), keyStored: message }, KeyStored)
  } catch (error) {
    return formatFailure(error)
  }
}

/** What this machine adds to an answer of which it has stored the key. */
export const KeyStored: Schema = { properties: { keyStored: { 'x-words': 'service' } } }

/** A copy of an answer without any member that has the key. The service writes it under old names as well. */
export function withoutKey(answer: object, apiKey: string): object {
  const hasKey = (value: unknown) => typeof value === 'string' && value.includes(apiKey)
  return JSON.parse(
    JSON.stringify(answer, (_, value: unknown) =>
      Array.isArray(value) ? value.filter((item) => !hasKey(item)) : hasKey(value) ? undefined : value,
    ),
  ) as object
}
