import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { AgentAction } from './refs.js'
import { Bnb, Count, Id, nullable, Time, Words } from './shapes.js'

const posts = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })

// Enough digits for all the wei there will ever be.
const worth = (description: string) => Type.String({ ...Bnb(description), maxLength: 40 })

/** The rules an owner can set. Null or false means that there is none. */
export const ruleFields = {
  maxDailyPosts: nullable(posts('Posts, replies and reposts per day (UTC).')),
  maxTradeBNB: nullable(worth('The most that one quote or transfer may be worth.')),
  maxDailyTradeBNB: nullable(worth('The most that all quotes and transfers of a day (UTC) may be worth.')),
  allowedActions: nullable(
    Type.Array(AgentAction, { uniqueItems: true, maxItems: 50, description: 'Everything else is refused.' }),
  ),
  approvePostsAfter: nullable(posts('Posts per day (UTC) that need no approval; 0 = every post waits.')),
  approveTradesAboveBNB: nullable(
    worth('Trades and transfers worth more than this wait for approval; 0 = all of them.'),
  ),
  recoveryWaits: Type.Boolean({
    description:
      'Whether the wallet alone waits 24 hours for a new key (recoverAgent), in which owner and agent can stop it. Off by default.',
  }),
}

/** What an agent may do, and how much of it is used up. */
export const AgentControls = Type.Object(
  {
    agentId: Id('The agent.'),
    frozenAt: nullable(Time('Since when all its writes have been refused; null when it is not frozen.')),
    frozenReason: nullable(Words()),
    ...ruleFields,
    postsToday: Count('Posts, replies and reposts since midnight UTC.'),
    tradedTodayBNB: Bnb(
      'What its prepared trades and transfers came to since midnight UTC, and what those that can still be sent may come to.',
    ),
    updatedAt: nullable(Time('Last change by the owner, or by the service when it froze the agent.')),
  },
  { title: 'AgentControls' },
)
export type AgentControls = Static<typeof AgentControls>

const params = Type.Object({ id: agentIdentifier })
const notMine = ['AGENT_NOT_FOUND', 'NOT_THE_OWNER'] as const

/** Endpoints by which owners freeze agents and set their rules, and agents read the rules they are under. */
export const agentControls = {
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
    description:
      'Omitted fields keep their value; null, or false for recoveryWaits, lifts a rule. Changes apply from the next request on.',
    auth: 'owner',
    limit: 'write',
    params,
    body: Type.Partial(Type.Object(ruleFields)),
    success: 200,
    output: AgentControls,
    errors: notMine,
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
} as const
