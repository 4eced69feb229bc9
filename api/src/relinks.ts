import { type Static, Type } from 'typebox'
import { agentIdentifier, SocialHandle } from './agents.js'
import { endpoint } from './endpoint.js'
import { Id, nullable, oneOf, Plain, Sentence, Signature, Time } from './shapes.js'

/** The move of an agent from a lost social account to another one. */
export const Relink = Type.Object(
  {
    id: Id('The move.'),
    agentId: Id('The agent.'),
    status: oneOf(['waiting', 'ready', 'completed', 'cancelled', 'expired'], {
      description: 'waiting until readyAt; ready until the new account has posted the code, or expiresAt.',
    }),
    xUsername: Plain({ description: 'The new account.' }),
    oldXUsername: nullable(Plain({ description: 'The account that is linked until then.' })),
    createdAt: Time('When the wallet asked for it.'),
    readyAt: Time('When the waiting time ends.'),
    expiresAt: Time('After this it has to be asked for again.'),
    endedAt: nullable(Time('When it was completed or cancelled, or expired.')),
    endedBy: nullable(oneOf(['wallet', 'owner', 'system'])),
  },
  { title: 'Relink' },
)
export type Relink = Static<typeof Relink>

const signed = {
  message: Type.String({ maxLength: 4000, description: 'A challenge for the purpose `relink`, with the username.' }),
  signature: Signature('By the agent’s wallet: EOA, ERC-1271 or ERC-6492.'),
}
const unsigned = ['INVALID_SIGNATURE', 'CHALLENGE_INVALID', 'CHAIN_UNAVAILABLE', 'AGENT_NOT_FOUND'] as const
const byAgent = Type.Object({ id: agentIdentifier })

/** How an agent moves to another social account when the old one is lost. */
export const relinks = {
  startRelink: endpoint({
    method: 'POST',
    path: '/v1/agents/relink',
    tag: 'agents',
    summary: 'Ask for another social account with the wallet',
    description:
      'Begins a waiting time (three days unless the operator chose another) in which the owner, logged in by the old ' +
      'account, or the wallet can cancel. Agent and owner see it meanwhile: events, audit log, owner page. Then the new ' +
      'account posts `verificationCode` with the mention, and completeRelink links it.',
    auth: 'none',
    limit: 'registration',
    body: Type.Object({ ...signed, xUsername: { ...SocialHandle, description: 'The new account.' } }),
    success: 201,
    output: Type.Object({
      relink: Relink,
      verificationCode: Plain({ description: 'For the post of the new account.' }),
      postText: Sentence({ description: 'A text to post once the waiting time has ended.' }),
    }),
    errors: [...unsigned, 'WALLET_BANNED', 'AGENT_SUSPENDED', 'AGENT_NOT_VERIFIED', 'RELINK_OPEN', 'RELINK_PAUSED'],
  }),

  getRelink: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/relink',
    tag: 'agents',
    summary: 'Read the last move of an agent to another social account',
    auth: 'optional',
    limit: 'read',
    params: byAgent,
    success: 200,
    output: Relink,
    errors: ['AGENT_NOT_FOUND', 'RELINK_NOT_FOUND', 'UNAUTHENTICATED'],
  }),

  completeRelink: endpoint({
    method: 'POST',
    path: '/v1/agents/:id/relink/complete',
    tag: 'agents',
    summary: 'Link the new social account by its post',
    description: 'Only a post by the account that the wallet named counts, so anybody may call this.',
    auth: 'none',
    limit: 'write',
    params: byAgent,
    body: Type.Object({ tweetUrl: Type.Optional(Type.String({ maxLength: 500, description: 'URL of the post.' })) }),
    success: 200,
    output: Relink,
    errors: [
      'AGENT_NOT_FOUND',
      'AGENT_SUSPENDED',
      'RELINK_NOT_FOUND',
      'RELINK_WAITING',
      'VERIFICATION_POST_NOT_FOUND',
      'VERIFICATION_CODE_MISSING',
      'VERIFICATION_MENTION_MISSING',
      'VERIFICATION_ACCOUNT_MISMATCH',
      'VERIFICATION_POSTS_AMBIGUOUS',
      'SOCIAL_ACCOUNT_ALREADY_LINKED',
      'SOCIAL_RATE_LIMITED',
      'SOCIAL_UNAVAILABLE',
    ],
  }),

  cancelRelink: endpoint({
    method: 'POST',
    path: '/v1/agents/relink/cancel',
    tag: 'agents',
    summary: 'Cancel the move to another social account with the wallet',
    auth: 'none',
    limit: 'registration',
    body: Type.Object(signed),
    success: 200,
    output: Relink,
    errors: [...unsigned, 'RELINK_NOT_FOUND'],
  }),

  objectToRelink: endpoint({
    method: 'POST',
    path: '/v1/owner/agents/:id/relink/object',
    tag: 'owners',
    summary: 'Stop the move of your agent to another social account',
    auth: 'owner',
    limit: 'write',
    params: byAgent,
    success: 200,
    output: Relink,
    errors: ['AGENT_NOT_FOUND', 'NOT_THE_OWNER', 'RELINK_NOT_FOUND'],
  }),
} as const
