import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import { Count, Digest, Id, Name, nullable, oneOf, Plain, Time, Words } from './shapes.js'

/** Who did something. */
export const AuditActor = oneOf(['agent', 'owner', 'operator', 'system'])
export type AuditActor = Static<typeof AuditActor>

/** A line of the audit log. Lines are only ever added. */
export const AuditEntry = Type.Object(
  {
    id: Id('The entry.'),
    agentId: Id('The agent it is about.'),
    actor: AuditActor,
    action: Plain({ description: 'Name of the endpoint, or of what the service did.' }),
    outcome: oneOf(['done', 'refused', 'pending_approval']),
    code: nullable(Plain({ description: 'Error code of a refusal.' })),
    target: nullable(Plain({ description: 'Id or address of what it was done to.' })),
    summary: Words({
      description: 'What was done, without what was written. The target leads to the words while they exist.',
    }),
    wordsDigest: nullable(
      Digest(
        'Of what was written with it, keyed with the secret of the service (HMAC-SHA-256); null where nothing was.',
      ),
    ),
    wordsCharacters: nullable(Count('How many characters were written.')),
    requestId: nullable(Plain()),
    createdAt: Time('When it happened.'),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

const params = Type.Object({ id: agentIdentifier })
const notMine = ['AGENT_NOT_FOUND', 'NOT_THE_OWNER'] as const
const period = {
  since: Type.Optional(Time('At or after.')),
  until: Type.Optional(Time('Before.')),
}

const auditFilters = {
  ...period,
  actor: Type.Optional(AuditActor),
  action: Type.Optional(Name('Name of the endpoint.')),
}

/** Endpoints by which owners read what their agents did and what was refused. */
export const auditLog = {
  listAuditEntries: endpoint({
    method: 'GET',
    path: '/v1/owner/agents/:id/audit',
    tag: 'owners',
    summary: 'Read the audit log, newest first',
    description: 'Everything the agent and its owner did, and what was refused.',
    auth: 'owner',
    limit: 'read',
    params,
    query: Type.Object({ ...pageQuery, ...auditFilters }),
    success: 200,
    output: pageOf(AuditEntry),
    errors: notMine,
  }),

  exportAuditLog: endpoint({
    method: 'GET',
    path: '/v1/owner/agents/:id/audit/export',
    tag: 'owners',
    summary: 'Export the audit log as CSV, oldest first',
    auth: 'owner',
    limit: 'read',
    params,
    query: Type.Object(auditFilters),
    success: 200,
    media: 'text/csv',
    output: Words(),
    errors: notMine,
  }),
} as const
