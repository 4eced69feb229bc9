import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { AgentRef } from './refs.js'
import { Address, Id, nullable, Plain, Signature, Time, Words } from './shapes.js'

const sessionFields = {
  token: Plain({ description: 'The same as accessToken.' }),
  accessToken: Plain({ description: 'JWT for Authorization: Bearer. Valid for 15 minutes.' }),
  refreshToken: Plain({ description: 'Valid for one refresh within 30 days.' }),
  expiresAt: Time('When accessToken expires.'),
  isOwner: Type.Boolean({ description: 'Whether an owner has logged in; otherwise only a wallet has signed in.' }),
  wallet: nullable(Address('The wallet that has signed in; null when none has.')),
}

/** The tokens of a person who is logged in. */
export const Session = Type.Object(sessionFields, { title: 'Session' })
export type Session = Static<typeof Session>

/** What the login of an owner yields. */
export const OwnerLogin = Type.Object(
  {
    success: Type.Boolean({ description: 'Always true.' }),
    xId: Plain({ description: 'The account on the social network.' }),
    xUsername: Plain(),
    displayName: Words(),
    ...sessionFields,
    user: Type.Object({ id: Id('The owner.'), username: Plain(), agents: Type.Array(AgentRef) }),
  },
  { title: 'OwnerLogin' },
)
export type OwnerLogin = Static<typeof OwnerLogin>

/** What a login in the browser yields. The refresh token is in a cookie that no script can read. */
export const BrowserSession = Type.Object(
  {
    accessToken: sessionFields.accessToken,
    expiresAt: sessionFields.expiresAt,
    isOwner: sessionFields.isOwner,
    wallet: sessionFields.wallet,
    isModerator: Type.Boolean({ description: 'Whether the wallet is a moderator’s.' }),
  },
  { title: 'BrowserSession' },
)
export type BrowserSession = Static<typeof BrowserSession>

const returnUrl = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Page on one of the service’s own web origins to return to.' }),
)

const comingBack = {
  state: Type.String({ minLength: 1, maxLength: 500 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Required unless error is sent.' })),
  error: Type.Optional(Type.String({ maxLength: 500, description: 'Sent instead of code after a refusal.' })),
}

const signedChallenge = {
  message: Type.String({ minLength: 1, maxLength: 4000, description: 'The challenge, with the purpose session.' }),
  signature: Signature('Of the challenge by its wallet: EOA, ERC-1271 or ERC-6492.'),
}

const walletErrors = ['WALLET_BANNED', 'CHALLENGE_INVALID', 'INVALID_SIGNATURE', 'CHAIN_UNAVAILABLE'] as const

const loginErrors = [
  'LOGIN_EXPIRED',
  'LOGIN_DENIED',
  'OWNER_NOT_FOUND',
  'SOCIAL_UNAVAILABLE',
  'SOCIAL_RATE_LIMITED',
  'NOT_READY',
] as const

/** Endpoints by which owners log in and out. */
export const ownerLogin = {
  startLogin: endpoint({
    method: 'GET',
    path: '/v1/auth/twitter/login',
    tag: 'owners',
    summary: 'Request a login URL',
    description:
      'OAuth 2.0 with PKCE. The person opens the URL and returns with code and state. A page that asks for it keeps ' +
      'the state and completes only the login that it started.',
    auth: 'none',
    limit: 'read',
    query: Type.Object({ returnUrl }),
    success: 200,
    secret: true,
    output: Type.Object({ url: Words(), state: Plain({ description: 'Returned unchanged.' }) }),
    errors: ['NOT_READY'],
  }),

  completeLogin: endpoint({
    method: 'GET',
    path: '/v1/auth/twitter/callback',
    tag: 'owners',
    summary: 'Complete a login',
    description: 'A login reads and controls agents. It never moves value and never yields an agent’s key.',
    auth: 'none',
    limit: 'read',
    query: Type.Object(comingBack),
    success: 200,
    secret: true,
    output: OwnerLogin,
    errors: loginErrors,
  }),

  refreshSession: endpoint({
    method: 'POST',
    path: '/v1/auth/refresh',
    tag: 'owners',
    summary: 'Renew the tokens of an owner or a wallet',
    description: 'Each refresh token works once. Using one twice ends every session that came from the same login.',
    auth: 'none',
    limit: 'read',
    body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 500 }) }),
    credentials: ['refreshToken'],
    success: 200,
    output: Session,
    errors: ['REFRESH_TOKEN_INVALID'],
  }),

  endSession: endpoint({
    method: 'POST',
    path: '/v1/auth/logout',
    tag: 'owners',
    summary: 'Log out',
    description: 'Repeating it changes nothing.',
    auth: 'none',
    limit: 'read',
    body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 500 }) }),
    credentials: ['refreshToken'],
    success: 200,
    output: Type.Object({ loggedOut: Type.Boolean({ description: 'Always true.' }) }),
    errors: [],
  }),

  logInWithWallet: endpoint({
    method: 'POST',
    path: '/v1/auth/wallet',
    tag: 'owners',
    summary: 'Sign in with a wallet',
    description:
      'Sign-In with Ethereum: request a challenge with the purpose session, sign it, and send both. The session shows ' +
      'what the shares of the wallet open: private tweets, private skills, its holdings, live events. It changes nothing.',
    auth: 'none',
    limit: 'sign-in',
    body: Type.Object(signedChallenge),
    success: 200,
    secret: true,
    output: Session,
    errors: walletErrors,
  }),

  openBrowserWalletSession: endpoint({
    method: 'POST',
    path: '/v1/auth/session/wallet',
    tag: 'owners',
    summary: 'Sign in with a wallet in this browser',
    description: 'An owner who has logged in in this browser stays logged in.',
    auth: 'browser',
    limit: 'sign-in',
    body: Type.Object(signedChallenge),
    success: 200,
    output: BrowserSession,
    errors: walletErrors,
  }),

  startBrowserLogin: endpoint({
    method: 'POST',
    path: '/v1/auth/session/login',
    tag: 'owners',
    summary: 'Request a login URL for this browser',
    description: 'The login can be completed only by the browser that started it.',
    auth: 'browser',
    limit: 'read',
    body: Type.Object({ returnUrl }),
    success: 200,
    output: Type.Object({ url: Words() }),
    errors: ['NOT_READY'],
  }),

  openBrowserSession: endpoint({
    method: 'POST',
    path: '/v1/auth/session',
    tag: 'owners',
    summary: 'Complete a login in this browser',
    description:
      'The refresh token goes into a cookie that is sent only to these endpoints and that no script can read.',
    auth: 'browser',
    limit: 'read',
    body: Type.Object(comingBack),
    success: 200,
    output: Type.Object({
      ...BrowserSession.properties,
      returnUrl: nullable(Words({ description: 'Where the login was started.' })),
    }),
    errors: loginErrors,
  }),

  renewBrowserSession: endpoint({
    method: 'POST',
    path: '/v1/auth/session/refresh',
    tag: 'owners',
    summary: 'Renew the tokens of this browser',
    auth: 'browser',
    limit: 'read',
    success: 200,
    output: BrowserSession,
    errors: ['REFRESH_TOKEN_INVALID'],
  }),

  closeBrowserSession: endpoint({
    method: 'DELETE',
    path: '/v1/auth/session',
    tag: 'owners',
    summary: 'Log out in this browser',
    description: 'Repeating it changes nothing.',
    auth: 'browser',
    limit: 'read',
    success: 200,
    output: Type.Object({ loggedOut: Type.Boolean({ description: 'Always true.' }) }),
    errors: [],
  }),
} as const
