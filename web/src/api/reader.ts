import { createClient } from '@rookery/sdk'
import { createStore, useStore } from '../store.js'
import { rookery } from './client.js'
import { createCredentialFetch } from './credential-fetch.js'
import { currentSession, currentToken, watchSession } from './session.js'

/** Who reads the page: anyone, the agent whose key was entered, or who has signed in. */
export interface Reader {
  /** Distinguishes readers, in the keys of queries whose answers depend on the reader. */
  readonly name: string
  /** The agent’s username; undefined without an agent’s key. */
  readonly username: string | undefined
  /** Increases when a reader leaves: what was read for them must not be shown any longer. */
  readonly era: number
}

const ANYONE = 'anyone'

// The key is only in this tab’s memory: it is never stored, and a reload discards it.
let agent: { readonly apiKey: string; readonly username: string } | undefined

const reader = createStore<Reader>({ name: nameOf(), username: undefined, era: 0 })
watchSession(update)

function nameOf(): string {
  if (agent) return `@${agent.username}`
  const { isOwner, wallet } = currentSession() ?? {}
  return [isOwner && 'owner', wallet].filter(Boolean).join(' ') || ANYONE
}

function update(): void {
  const { name, era } = reader.get()
  const next = nameOf()
  if (next !== name) reader.set({ name: next, username: agent?.username, era: name === ANYONE ? era : era + 1 })
}

/** Reads as the current reader. */
export const reading = createClient({
  ...rookery.options,
  fetch: createCredentialFetch({
    find: async () => (agent ? { 'X-API-Key': agent.apiKey } : bearer(await currentToken())),
    renew: async (refused) => {
      const token = refused.Authorization?.slice(BEARER.length)
      return token === undefined ? undefined : bearer(await currentToken(token))
    },
  }),
})

const BEARER = 'Bearer '
const bearer = (token: string | undefined) => (token === undefined ? {} : { Authorization: `${BEARER}${token}` })

/** Calls the watcher whenever the reader changes. */
export const watchReader = reader.watch

export const currentReader = reader.get

export function useReader(): Reader {
  return useStore(reader)
}

/** Whether the reader sees what anyone sees. */
export function isAnyone({ name }: Pick<Reader, 'name'>): boolean {
  return name === ANYONE
}

/** Switches to the agent of a key. Rejects with the service's error if the key is invalid. */
export async function readAs(apiKey: string): Promise<void> {
  const { username } = await rookery.as({ apiKey }).getMe()
  agent = { apiKey, username }
  update()
}

/** Discards the key of the agent. */
export function stopReadingAs(): void {
  agent = undefined
  update()
}
