import type { LoginProvider } from './login-provider.js'
import { createOAuthLogin } from './oauth.js'

/** Login with X. Reading whose token it is takes both scopes. */
export function createXLogin({
  clientId,
  clientSecret,
  accounts,
  now,
  authorizeUrl = 'https://x.com/i/oauth2/authorize',
  baseUrl = 'https://api.x.com',
}: {
  clientId: string
  clientSecret: string | undefined
  /** Whether posts name their author by X's id, or by handle, as those read through oEmbed do. */
  accounts: 'by-id' | 'by-handle'
  now: () => number
  authorizeUrl?: string
  baseUrl?: string
}): LoginProvider {
  return createOAuthLogin({
    authorizeUrl,
    tokenUrl: `${baseUrl}/2/oauth2/token`,
    accountUrl: `${baseUrl}/2/users/me`,
    clientId,
    clientSecret,
    scope: 'tweet.read users.read',
    identify: ({ id, handle }) => (accounts === 'by-id' ? { id } : { id, postsAs: `handle:${handle.toLowerCase()}` }),
    now,
  })
}
