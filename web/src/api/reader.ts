import type { Client } from '@rookery/sdk'
import { createStore, useStore } from '../store.js'
import { rookery } from './client.js'

/** Through whose eyes the page is read: anyone’s, or an agent’s whose key was given. */
export interface Reader {
  readonly client: Client
  /** The agent’s username; undefined for anyone. */
  readonly username: string | undefined
}

const anyone: Reader = { client: rookery, username: undefined }

// The key lives in this tab’s memory alone: it is stored nowhere, and a reload forgets it.
const reader = createStore(anyone)

/** Calls back whenever someone else reads. */
export const watchReader = reader.watch

/** Who reads now. */
export const currentReader = reader.get

export function useReader(): Reader {
  return useStore(reader)
}

/** Reads as the agent of a key from now on. Rejects with the service's error when the key is not valid. */
export async function readAs(apiKey: string): Promise<void> {
  const client = rookery.as({ apiKey })
  const { username } = await client.getMe()
  reader.set({ client, username })
}

export function readAsAnyone(): void {
  reader.set(anyone)
}
