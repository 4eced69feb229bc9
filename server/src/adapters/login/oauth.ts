import * as oauth from 'oauth4webapi'
import { DEFAULT_TIMEOUT_MS, getJson, stringAt } from '../social/get-json.js'
import { SocialRateLimited, SocialUnavailable } from '../social/social-network.js'
import { type LoginAccount, type LoginProvider, LoginRefused } from './login-provider.js'

/** The endpoints of a network and the client to use there. */
export interface OAuthOptions {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Returns the account of a token, in X's format: `{data: {id, username, name}}`. */
  readonly accountUrl: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly scope: string
  /** How this network and its posts identify the account. */
  readonly identify: (account: { id: string; handle: string }) => Pick<LoginAccount, 'id' | 'postsAs'>
  readonly now: () => number
  readonly timeoutMs?: number
}

/** Login by OAuth 2.0 with PKCE (RFC 6749, 7636), at any network that works like X. */
export function createOAuthLogin(options: OAuthOptions): LoginProvider {
  const { authorizeUrl, tokenUrl, accountUrl, clientId, clientSecret, scope, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const server: oauth.AuthorizationServer = {
    issuer: new URL(authorizeUrl).origin,
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
  }
  const client: oauth.Client = { client_id: clientId }
  // Without a secret the client is public, and only PKCE protects it.
  const authentication = clientSecret === undefined ? oauth.None() : plainBasic(clientId, clientSecret)

  async function exchange(code: string, redirectUri: string, codeVerifier: string): Promise<string> {
    const answer = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.expectNoState)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      answer,
      redirectUri,
      codeVerifier,
      {
        signal: AbortSignal.timeout(timeoutMs),
        [oauth.allowInsecureRequests]: tokenUrl.startsWith('http:'),
      },
    )
    if (response.status === 429) throw new SocialRateLimited(60)
    if (response.status >= 500) throw new SocialUnavailable(`The social network answered ${response.status}`)
    const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
    return access_token
  }

  return {
    async authorizationUrl({ state, codeVerifier, redirectUri }) {
      const url = new URL(authorizeUrl)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },

    async account({ code, codeVerifier, redirectUri }) {
      const token = await exchange(code, redirectUri, codeVerifier).catch((error: unknown) => {
        throw meaningOf(error)
      })
      const headers = { authorization: `Bearer ${token}` }
      const { status, body } = await getJson(accountUrl, { headers, timeoutMs, now: options.now })
      return readAccount(status, body, options)
    },
  }
}

// X compares id and secret unencoded, although RFC 6749 requires form encoding.
function plainBasic(clientId: string, clientSecret: string): oauth.ClientAuth {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}

function meaningOf(error: unknown): Error {
  if (error instanceof oauth.ResponseBodyError && error.status === 400)
    return new LoginRefused('The social network does not take this code', { cause: error })
  if (error instanceof SocialRateLimited || error instanceof SocialUnavailable) return error
  return new SocialUnavailable('The social network did not exchange a code', { cause: error })
}

function readAccount(status: number, body: unknown, { identify }: OAuthOptions): LoginAccount {
  const id = stringAt(body, 'data', 'id')
  const handle = stringAt(body, 'data', 'username')
  if (status !== 200 || id === undefined || handle === undefined)
    throw new SocialUnavailable(`The social network does not say whose token it gave (${status})`)
  return { ...identify({ id, handle }), handle, name: stringAt(body, 'data', 'name') ?? handle }
}
