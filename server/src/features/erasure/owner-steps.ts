import sql from 'sql-template-tag'
import { leaveOwnAudit, leaveRefusals } from './audit-steps.js'
import { reportsBy } from './moderation-steps.js'
import { callerKeyOf, hasName, type OwnerSought } from './sought.js'
import { deleted, emptied, type Step } from './step.js'

const owned = ({ id }: OwnerSought) => sql`owner_id = ${id}::uuid`
const ofAgents = ({ agentIds }: OwnerSought) => sql`agent_id = any(${agentIds}::uuid[])`
// Notifications have ids alone, and a reader may still wait for them.
const toldOfOwner = ({ agentIds }: OwnerSought) =>
  sql`recipient_id = any(${agentIds}::uuid[]) and type <> 'notification.created'`
const ofHandles = ({ handles }: OwnerSought) => sql`lower(handle) = any(${handles}::text[])`

/** The members of events that name an account. */
const HANDLES = ['xUsername', 'oldXUsername', 'xOwnerHandle', 'xHandle', 'handle']

/** Everything that is taken out for an owner. Agents that stay lose what their owner ruled and wrote. */
export const ownerSteps: readonly Step<OwnerSought>[] = [
  emptied(
    'agent',
    ({ xId, handles }) => sql`x_id = ${xId} or (x_id is null and lower(x_username) = any(${handles}::text[]))`,
    (_, { clock }) => sql`x_id = null, x_username = null, x_owner_handle = null, x_owner_name = null,
      x_followers_count = null, x_following_count = null, updated_at = ${clock.now()}`,
  ),
  // With them go refresh tokens and tickets.
  deleted('owner_session', owned),
  deleted('push_subscription', owned),
  deleted('owner', ({ id }) => sql`id = ${id}::uuid`),
  deleted('idempotent_answer', (sought) => sql`scope like ${`${callerKeyOf(sought)} %`}`),
  deleted('agent_control', ofAgents),
  deleted('trade_rule', ofAgents),
  deleted('relink', ofAgents),
  emptied(
    'approval',
    (sought) => sql`${ofAgents(sought)} and note is not null`,
    () => sql`note = null`,
  ),
  deleted('event', toldOfOwner),
  deleted('event_draft', toldOfOwner),
  deleted('webhook_delivery', ({ handles }) => hasName(sql`event`, HANDLES, handles)),
  deleted('local_x_post', ofHandles),
  deleted('local_x_token', ofHandles),
  deleted('local_x_login', ofHandles),
  deleted('local_x_account', ofHandles),
  reportsBy(),
  leaveOwnAudit,
  leaveRefusals,
]
