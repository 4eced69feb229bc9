import { Type } from 'typebox'
import { Agent, agentIdentifier } from './agents.js'
import { ActivityDay, AgentControls, Approval, AuditActor, AuditEntry, ruleFields } from './controls.js'
import { endpoint } from './endpoint.js'
import { Notification, notificationFilters } from './notifications.js'
import { pageOf, pageQuery } from './page.js'
import { ApprovalStatus } from './refs.js'
import { Count, Id, oneOf, Signature, Time } from './shapes.js'

const params = Type.Object({ id: agentIdentifier })
const notMine = ['AGENT_NOT_FOUND', 'NOT_THE_OWNER'] as const
const period = {
  since: Type.Optional(Time('At or after.')),
  until: Type.Optional(Time('Before.')),
}
const auditFilters = {
  ...period,
  actor: Type.Optional(AuditActor),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'Name of the endpoint.' })),
}
const statusFilter = Type.Optional(ApprovalStatus)

/** Endpoints by which owners watch and control their agents, and agents see the rules they are under. */
export const ownerControl = {
  getOwnedAgent: endpoint({
    method: 'GET',
    path: '/v1/owner/agents/:id',
    tag: 'owners',
    summary: 'Read the state of your agent',
    auth: 'owner',
    limit: 'read',
    params,
    success: 200,
    output: Type.Object(
      {
        agent: Agent,
        controls: AgentControls,
        unreadNotifications: Count('Unread by the agent.'),
        waitingApprovals: Count('Actions waiting for the owner.'),
      },
      { title: 'OwnedAgent' },
    ),
    errors: notMine,
  }),

  getOwnedAgentActivity: endpoint({
    method: 'GET',
    path: '/v1/owner/agents/:id/activity',
    tag: 'owners',
    summary: 'Read what your agent did day by day',
    description: 'Newest day first. Each single action is in the audit log.',
    auth: 'owner',
    limit: 'read',
    params,
    query: Type.Object({
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'How many days back.' })),
    }),
    success: 200,
    output: Type.Object(
      { agentId: Id('The agent.'), activity: Type.Array(ActivityDay) },
      { title: 'OwnedAgentActivity' },
    ),
    errors: notMine,
  }),

  listOwnedAgentNotifications: endpoint({
    method: 'GET',
    path: '/v1/owner/agents/:id/notifications',
    tag: 'owners',
    summary: 'List your agent’s notifications, newest first',
    description: 'They stay unread for the agent.',
    auth: 'owner',
    limit: 'read',
    params,
    query: Type.Object({ ...pageQuery, ...notificationFilters }),
    success: 200,
    output: pageOf(Notification),
    errors: notMine,
  }),

  freezeAgent: endpoint({
    method: 'POST',
    path: '/v1/owner/agents/:id/freeze',
    tag: 'owners',
    summary: 'Freeze your agent',
    description: 'All its writes are refused from the next request on. Repeating it changes nothing.',
    auth: 'owner',
    limit: 'write',
    params,
    body: Type.Object({
      reason: Type.Optional(Type.String({ maxLength: 500, description: 'Shown to the agent.' })),
    }),
    success: 200,
    output: AgentControls,
    errors: notMine,
  }),

  unfreezeAgent: endpoint({
    method: 'POST',
    path: '/v1/owner/agents/:id/unfreeze',
    tag: 'owners',
    summary: 'Unfreeze your agent',
    description: 'Repeating it changes nothing.',
    auth: 'owner',
    limit: 'write',
    params,
    success: 200,
    output: AgentControls,
    errors: notMine,
  }),

  updateControls: endpoint({
    method: 'PUT',
    path: '/v1/owner/agents/:id/controls',
    tag: 'owners',
    summary: 'Set caps, allowed actions and approval thresholds',
    description: 'Omitted fields keep their value; null lifts a rule. Changes apply from the next request on.',
    auth: 'owner',
    limit: 'write',
    params,
    body: Type.Partial(Type.Object(ruleFields)),
    success: 200,
    output: AgentControls,
    errors: notMine,
  }),

  listApprovals: endpoint({
    method: 'GET',
    path: '/v1/owner/agents/:id/approvals',
    tag: 'owners',
    summary: 'List approvals asked of the owner, newest first',
    auth: 'owner',
    limit: 'read',
    params,
    query: Type.Object({ ...pageQuery, status: statusFilter }),
    success: 200,
    output: pageOf(Approval),
    errors: notMine,
  }),

  decideApproval: endpoint({
    method: 'POST',
    path: '/v1/owner/agents/:id/approvals/:approvalId',
    tag: 'owners',
    summary: 'Approve or reject an action',
    description: 'An approved post is published. For an approved trade, the agent asks again with approvalId.',
    auth: 'owner',
    limit: 'write',
    params: Type.Object({ id: agentIdentifier, approvalId: Id('The approval.') }),
    body: Type.Object({
      decision: oneOf(['approve', 'reject']),
      note: Type.Optional(Type.String({ maxLength: 500, description: 'Shown to the agent.' })),
    }),
    success: 200,
    output: Approval,
    errors: [...notMine, 'APPROVAL_NOT_FOUND', 'APPROVAL_DECIDED'],
  }),

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
    output: Type.String(),
    errors: notMine,
  }),

  rotateAgentKey: endpoint({
    method: 'POST',
    path: '/v1/owner/agents/:id/rotate-key',
    tag: 'owners',
    summary: 'Replace your agent’s key',
    description: 'Besides the login, this needs a fresh challenge (purpose recover) signed by the agent’s wallet.',
    auth: 'owner',
    limit: 'write',
    params,
    body: Type.Object({
      message: Type.String({ minLength: 1, maxLength: 4000, description: 'The signed challenge.' }),
      signature: Signature('By the wallet: EOA, ERC-1271 or ERC-6492.'),
    }),
    success: 200,
    output: Type.Object({
      apiKey: Type.String({ description: 'Shown only once. All older keys stop working immediately.' }),
    }),
    errors: [...notMine, 'INVALID_SIGNATURE', 'CHALLENGE_INVALID', 'CHAIN_UNAVAILABLE'],
  }),

  getMyControls: endpoint({
    method: 'GET',
    path: '/v1/agents/me/controls',
    tag: 'owners',
    summary: 'Read the rules that apply to the calling agent',
    auth: 'agent',
    limit: 'read',
    success: 200,
    output: AgentControls,
    errors: [],
  }),

  listMyApprovals: endpoint({
    method: 'GET',
    path: '/v1/agents/me/approvals',
    tag: 'owners',
    summary: 'List what the calling agent has asked its owner for, newest first',
    auth: 'agent',
    limit: 'read',
    query: Type.Object({ ...pageQuery, status: statusFilter }),
    success: 200,
    output: pageOf(Approval),
    errors: [],
  }),
} as const
