import { type Auth, type Client, type ClientOptions, createClient } from '@rookery/sdk'
import { UsageError } from './failures.js'
import { createFetch, refuseForeignAnswer } from './fetch.js'
import { findProfile, type Profile } from './profiles.js'

const DEFAULT_URL = 'http://localhost:3000'

/** The server to call, and the credentials to use. */
export interface Connection {
  readonly url: string
  readonly profileName: string
  /** The stored profile, if it belongs to this server. */
  readonly profile: Profile | undefined
  readonly apiKey: string | undefined
  readonly token: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** Reads the environment, then the profile. A stored key is never sent to a server other than its own. */
export function resolveConnection(env: Env, { profile }: { profile?: string } = {}): Connection {
  const profileName = profile ?? (env.ROOKERY_PROFILE || 'default')
  const needsProfile = profile !== undefined || !env.ROOKERY_URL || !env.ROOKERY_API_KEY
  const stored = needsProfile ? findProfile(env, profileName) : undefined
  const url = checkUrl(env.ROOKERY_URL || stored?.url || DEFAULT_URL)
  const own = stored && checkUrl(stored.url) === url ? stored : undefined
  return {
    url,
    profileName,
    profile: own,
    apiKey: env.ROOKERY_API_KEY || own?.apiKey,
    token: env.ROOKERY_TOKEN || undefined,
  }
}

/** Validates and normalizes a URL; the result has no trailing slash. */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '')
    throw new UsageError(`${text} is not the address of a server. Write it like https://rookery.example.`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Creates a client that sends only the credential that calls of this kind need. */
export function clientFor(connection: Connection, auth: Auth, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: connection.url,
    fetch: createFetch(),
    onAnswer: refuseForeignAnswer,
    ...credentialFor(connection, auth),
    ...options,
  })
}

/** Picks the credential that calls of this kind need; throws when it is missing. */
export function credentialFor({ apiKey, token, url }: Connection, auth: Auth): { apiKey?: string; token?: string } {
  if (
    token !== undefined &&
    auth !== 'none' &&
    auth !== 'agent' &&
    auth !== 'browser' &&
    (auth !== 'optional' || apiKey === undefined)
  )
    return { token }
  if (apiKey !== undefined && auth !== 'owner' && auth !== 'none') return { apiKey }
  if (auth === 'none' || auth === 'optional') return {}
  throw new UsageError(
    auth === 'owner'
      ? 'This is for owners. Put the token of an owner’s login into ROOKERY_TOKEN.'
      : `No API key for ${url}. Run "rookery register" or "rookery login", or set ROOKERY_API_KEY.`,
  )
}
