import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { AgentRef } from './refs.js'
import { Id, nullable, Time } from './shapes.js'

const sessionFields = {
  token: Type.String({ description: 'The same as accessToken.' }),
  accessToken: Type.String({ description: 'JWT for Authorization: Bearer. Valid for 15 minutes.' }),
  refreshToken: Type.String({ description: 'Valid for one refresh within 30 days.' }),
  expiresAt: Time('When accessToken expires.'),
}

/** The tokens of an owner who is logged in. */
export const OwnerSession = Type.Object(sessionFields, { title: 'OwnerSession' })
export type OwnerSession = Static<typeof OwnerSession>

/** What a login yields. */
export const OwnerLogin = Type.Object(
  {
    success: Type.Boolean({ description: 'Always true.' }),
    xId: Type.String({ description: 'The account on the social network.' }),
    xUsername: Type.String(),
    displayName: Type.String(),
    ...sessionFields,
    user: Type.Object({ id: Id('The owner.'), username: Type.String(), agents: Type.Array(AgentRef) }),
  },
  { title: 'OwnerLogin' },
)
export type OwnerLogin = Static<typeof OwnerLogin>

/** What a login in the browser yields. The refresh token is in a cookie that no script can read. */
export const BrowserSession = Type.Object(
  { accessToken: sessionFields.accessToken, expiresAt: sessionFields.expiresAt },
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
    output: Type.Object({ url: Type.String(), state: Type.String({ description: 'Returned unchanged.' }) }),
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
    summary: 'Renew an owner’s tokens',
    description: 'Each refresh token works once. Using one twice ends every session that came from the same login.',
    auth: 'none',
    limit: 'read',
    body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 500 }) }),
    success: 200,
    output: OwnerSession,
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
    success: 200,
    output: Type.Object({ loggedOut: Type.Boolean({ description: 'Always true.' }) }),
    errors: [],
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
    output: Type.Object({ url: Type.String() }),
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
      returnUrl: nullable(Type.String({ description: 'Where the login was started.' })),
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
