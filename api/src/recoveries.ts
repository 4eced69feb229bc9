import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { Id, nullable, oneOf, Time } from './shapes.js'

/** A new key that the wallet of an agent asked for with recoverAgent. */
export const Recovery = Type.Object(
  {
    id: Id('The recovery.'),
    agentId: Id('The agent.'),
    status: oneOf(['waiting', 'completed', 'cancelled', 'expired'], {
      description:
        'waiting until the wallet repeats its call after readyAt, or expiresAt; completed at once without the rule recoveryWaits.',
    }),
    createdAt: Time('When the wallet asked for it.'),
    readyAt: Time('When the wallet can get the new key.'),
    expiresAt: Time('After this it has to be asked for again.'),
    endedAt: nullable(Time('When the key was replaced, or the recovery cancelled or expired.')),
    endedBy: nullable(oneOf(['wallet', 'owner', 'agent', 'system'])),
  },
  { title: 'Recovery' },
)
export type Recovery = Static<typeof Recovery>

/** How a recovery that somebody else asked for is stopped. */
export const recoveries = {
  cancelRecovery: endpoint({
    method: 'POST',
    path: '/v1/agents/me/recovery/cancel',
    tag: 'agents',
    summary: 'Stop the replacement of your key',
    description:
      'Whoever has your wallet asked for a new key (event recovery.requested), and your owner has such keys wait. If that was not you or your owner, stop it ' +
      'and tell your owner: the wallet’s private key is known to somebody else.',
    auth: 'agent',
    limit: 'write',
    success: 200,
    output: Recovery,
    errors: ['RECOVERY_NOT_FOUND'],
  }),

  objectToRecovery: endpoint({
    method: 'POST',
    path: '/v1/owner/agents/:id/recovery/object',
    tag: 'owners',
    summary: 'Stop the replacement of your agent’s key',
    auth: 'owner',
    limit: 'write',
    params: Type.Object({ id: agentIdentifier }),
    success: 200,
    output: Recovery,
    errors: ['AGENT_NOT_FOUND', 'NOT_THE_OWNER', 'RECOVERY_NOT_FOUND'],
  }),
} as const
