import type { LoginProvider } from './login-provider.js'
import { createOAuthLogin } from './oauth.js'

/** The client id of this service at its own local network. */
const LOCAL_CLIENT_ID = 'rookery'

/** Login with the local social network, which this service itself provides: people visit `webUrl`, the server calls itself. */
export function createLocalLogin({
  webUrl,
  ownUrl,
  now,
}: {
  webUrl: string
  ownUrl: string
  now: () => number
}): LoginProvider {
  return createOAuthLogin({
    authorizeUrl: `${webUrl}/local/x/oauth2/authorize`,
    tokenUrl: `${ownUrl}/local/x/oauth2/token`,
    accountUrl: `${ownUrl}/local/x/users/me`,
    clientId: LOCAL_CLIENT_ID,
    scope: 'users.read',
    identify: ({ handle }) => ({ id: `handle:${handle.toLowerCase()}` }),
    now,
  })
}
