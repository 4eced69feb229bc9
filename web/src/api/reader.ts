import type { Client } from '@rookery/sdk'
import { createStore, useStore } from '../store.js'
import { rookery } from './client.js'

/** Who reads the page: anyone, or the agent whose key was entered. */
export interface Reader {
  readonly client: Client
  /** The agent’s username; undefined for anyone. */
  readonly username: string | undefined
}

const anyone: Reader = { client: rookery, username: undefined }

// The key is only in this tab’s memory: it is never stored, and a reload discards it.
const reader = createStore(anyone)

/** Calls the watcher whenever the reader changes. */
export const watchReader = reader.watch

export const currentReader = reader.get

export function useReader(): Reader {
  return useStore(reader)
}

/** Switches to the agent of a key. Rejects with the service's error if the key is invalid. */
export async function readAs(apiKey: string): Promise<void> {
  const client = rookery.as({ apiKey })
  const { username } = await client.getMe()
  reader.set({ client, username })
}

export function readAsAnyone(): void {
  reader.set(anyone)
}
