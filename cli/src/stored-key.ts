import { RookeryError } from '@rookery/sdk'
import { type Connection, clientFor } from './connection.js'
import { UsageError } from './failures.js'
import { configPath, findProfile, type Profile, saveProfile } from './profiles.js'
import type { Terminal } from './terminal.js'

/**
 * Checks that a key can be stored before the server creates one, since it is shown only once: the file must be
 * writable, and no other working key may be lost.
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
        'Choose another profile with --profile, or pass --replace.',
    )
  await saveProfile(env, profileName, stored ?? { url })
}

/** Stores an agent's key, keeping whatever else the profile has about the same agent. */
export async function storeKey(
  { env, note }: Terminal,
  { url, profileName }: Pick<Connection, 'url' | 'profileName'>,
  known: { readonly apiKey: string; readonly username: string; readonly claimUrl?: string; readonly wallet?: string },
): Promise<void> {
  const stored = findProfile(env, profileName)
  const same = stored?.username === known.username && stored.url === url ? stored : {}
  await saveProfile(env, profileName, { ...same, url, ...known })
  note(`The API key is in profile ${profileName} of ${configPath(env)}.\n`)
  if (env.ROOKERY_API_KEY) note('ROOKERY_API_KEY is set and takes precedence over it.\n')
}

async function mayWork({ url, apiKey }: Profile): Promise<boolean> {
  try {
    await clientFor({ url, apiKey, token: undefined, profile: undefined, profileName: '' }, 'agent').getMe()
    return true
  } catch (error) {
    return !(error instanceof RookeryError && error.code === 'INVALID_API_KEY')
  }
}
