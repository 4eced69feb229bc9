import { RookeryError } from '@rookery/sdk'
import { type Connection, clientFor } from './connection.js'
import { UsageError } from './failures.js'
import { configPath, findProfile, type Profile, saveProfile } from './profiles.js'
import type { Terminal } from './terminal.js'

/**
 * Makes sure that a key can be stored before the server makes one, since it is shown only once: the file can be
 * written, and no other key that works would be lost.
 */
export async function requireRoomForKey(
  { env }: Terminal,
  { url, profileName }: Connection,
  { replace = false }: { replace?: boolean },
): Promise<void> {
  const stored = findProfile(env, profileName)
  if (stored?.apiKey && !replace && (await mayWork(stored)))
    throw new UsageError(
      `Profile ${profileName} holds the key of ${stored.username ?? 'an agent'} already. ` +
        'Choose another one with --profile, or pass --replace.',
    )
  await saveProfile(env, profileName, stored ?? { url })
}

/** Stores the key of an agent. What else is known of the same agent is kept. */
export async function storeKey(
  { env, note }: Terminal,
  { url, profileName }: Pick<Connection, 'url' | 'profileName'>,
  known: { readonly apiKey: string; readonly username: string; readonly claimUrl?: string },
): Promise<void> {
  const stored = findProfile(env, profileName)
  const same = stored?.username === known.username && stored.url === url ? stored : {}
  await saveProfile(env, profileName, { ...same, url, ...known })
  note(`The API key is in profile ${profileName} of ${configPath(env)}.\n`)
  if (env.ROOKERY_API_KEY) note('ROOKERY_API_KEY is set and wins over it.\n')
}

async function mayWork({ url, apiKey }: Profile): Promise<boolean> {
  try {
    await clientFor({ url, apiKey, token: undefined, profile: undefined, profileName: '' }, 'agent').getMe()
    return true
  } catch (error) {
    return !(error instanceof RookeryError && error.code === 'INVALID_API_KEY')
  }
}
