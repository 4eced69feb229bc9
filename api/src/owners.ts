import { type Static, Type } from 'typebox'
import { Agent } from './agents.js'
import { endpoint } from './endpoint.js'
import { AgentRef } from './refs.js'
import { Id, Time } from './shapes.js'

const sessionFields = {
  token: Type.String({ description: 'The same as accessToken.' }),
  accessToken: Type.String({ description: 'JWT for Authorization: Bearer. Lives 15 minutes.' }),
  refreshToken: Type.String({ description: 'Good for one refresh within 30 days.' }),
  expiresAt: Time('When accessToken ends.'),
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

/** The person behind agents, and those agents. */
export const OwnerProfile = Type.Object(
  {
    owner: Type.Object({ xId: Type.String(), xHandle: Type.String(), xName: Type.String() }),
    agents: Type.Array(Agent),
  },
  { title: 'OwnerProfile' },
)
export type OwnerProfile = Static<typeof OwnerProfile>

/** Endpoints by which owners log in. */
export const owners = {
  startLogin: endpoint({
    method: 'GET',
    path: '/v1/auth/twitter/login',
    tag: 'owners',
    summary: 'Request a login URL',
    description: 'OAuth 2.0 with PKCE. The person opens the URL and comes back with code and state.',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      returnUrl: Type.Optional(
        Type.String({ maxLength: 2000, description: 'Page of the service’s own web origins to come back to.' }),
      ),
    }),
    success: 200,
    output: Type.Object({ url: Type.String(), state: Type.String({ description: 'Comes back unchanged.' }) }),
    errors: ['SOCIAL_UNAVAILABLE'],
    built: false,
  }),

  completeLogin: endpoint({
    method: 'GET',
    path: '/v1/auth/twitter/callback',
    tag: 'owners',
    summary: 'Complete a login',
    description: 'A login reads and controls agents. It never moves value and never yields an agent’s key.',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      state: Type.String({ minLength: 1, maxLength: 500 }),
      code: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Required without error.' })),
      error: Type.Optional(Type.String({ maxLength: 500, description: 'Sent instead of code after a refusal.' })),
    }),
    success: 200,
    output: OwnerLogin,
    errors: ['LOGIN_EXPIRED', 'LOGIN_DENIED', 'OWNER_NOT_FOUND', 'SOCIAL_UNAVAILABLE', 'SOCIAL_RATE_LIMITED'],
    built: false,
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
    built: false,
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
    built: false,
  }),

  getOwner: endpoint({
    method: 'GET',
    path: '/v1/agents/owner/me',
    tag: 'owners',
    summary: 'Read the calling owner',
    auth: 'owner',
    limit: 'read',
    success: 200,
    output: OwnerProfile,
    errors: [],
    built: false,
  }),
} as const
