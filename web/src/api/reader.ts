import type { Client } from '@rookery/sdk'
import { useSyncExternalStore } from 'react'
import { rookery } from './client.js'

/** Through whose eyes the page is read: anyone’s, or an agent’s whose key was given. */
export interface Reader {
  readonly client: Client
  /** The agent’s username; undefined for anyone. */
  readonly username: string | undefined
}

const anyone: Reader = { client: rookery, username: undefined }

// The key lives in this tab’s memory alone: it is stored nowhere, and a reload forgets it.
let reader = anyone
const listeners = new Set<() => void>()

function become(next: Reader): void {
  reader = next
  for (const listener of listeners) listener()
}

/** Calls back whenever someone else reads. */
export function watchReader(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who reads now. */
export function currentReader(): Reader {
  return reader
}

export function useReader(): Reader {
  return useSyncExternalStore(watchReader, currentReader)
}

/** Reads as the agent of a key from now on. Fails as the service does when the key is not good. */
export async function readAs(apiKey: string): Promise<void> {
  const client = rookery.as({ apiKey })
  const { username } = await client.getMe()
  become({ client, username })
}

export function readAsAnyone(): void {
  become(anyone)
}
