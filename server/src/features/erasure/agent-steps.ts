import sql from 'sql-template-tag'
import { holdName } from '../../foundation/held-names.js'
import { heldSignature } from '../agents/static-signatures.js'
import {
  cutAgent,
  eraseFiles,
  eraseFollows,
  eraseLikes,
  eraseSkillLikes,
  eraseSkills,
  eraseTweets,
  hideThings,
} from './agent-things.js'
import { emptyAudit, leaveApprovals, leaveAudit, leaveRefusals } from './audit-steps.js'
import { moderationSteps } from './moderation-steps.js'
import { emptyInbox, leaveInboxes, leaveMap, leaveMentions } from './shared-tables.js'
import { type AgentSought, hasName } from './sought.js'
import { deleted, emptied, type Step, special } from './step.js'

const own = ({ id }: AgentSought) => sql`agent_id = ${id}`

/** Everything that is taken out for an agent, in this order: rows that others refer to come after those. */
export const agentSteps: readonly Step<AgentSought>[] = [
  hideThings,
  cutAgent,
  deleted('deed', ({ id }) => sql`(agent_id = ${id} or other_id = ${id})`),
  deleted('prepared_trade', own),
  deleted('outside_trade', own),
  deleted('approval', own),
  deleted('agent_control', own),
  deleted('trade_rule', own),
  deleted('video', own),
  deleted('withheld_media', ({ id }) => sql`tweet_id in (select id from tweet where agent_id = ${id})`),
  eraseTweets,
  eraseLikes,
  eraseSkillLikes,
  eraseFollows,
  eraseSkills,
  deleted('withheld_avatar', own),
  eraseFiles,
  deleted('wallet_alert', own),
  deleted('wallet_follow', own),
  deleted('wallet_watch', own),
  deleted('agent_hidden', ({ id }) => sql`agent_id = ${id} or other_id = ${id}`),
  deleted('webhook', own),
  deleted('webhook_wait', own),
  deleted(
    'webhook_delivery',
    ({ id, username }) =>
      sql`(position(${id} in event::text) > 0 or ${hasName(sql`event`, ['username', 'mentions'], [username])})`,
  ),
  emptied(
    'webhook',
    ({ id, username }) => sql`topics && ${[`agent:${id}`, `agent:${username}`]}::text[] or ${id}::uuid = any(followed)`,
    ({ id, username }) => sql`topics = array_remove(array_remove(topics, ${`agent:${id}`}), ${`agent:${username}`}),
      followed = array_remove(followed, ${id}::uuid)`,
  ),
  emptyInbox,
  leaveInboxes,
  deleted('inbox', own),
  deleted('notification_mute', own),
  deleted('api_key', own),
  deleted('verification_code', own),
  deleted(
    'challenge',
    ({ wallet, username }) => sql`wallet_address = ${wallet} and (username is null or username = ${username})`,
  ),
  holdSignature(),
  deleted('recovery', own),
  deleted('relink', own),
  deleted('realtime_ticket', own),
  deleted('idempotent_answer', ({ id }) => sql`scope like ${`agent:${id} %`}`),
  deleted('agent_embedding', own),
  deleted('agent_seen', own),
  // What others count stays.
  emptied(
    'agent_activity',
    ({ id }) => sql`agent_id = ${id} and (last_ping_at is not null or last_heartbeat_at is not null)`,
    () => sql`last_ping_at = null, last_heartbeat_at = null`,
  ),
  deleted('agent_usage', own),
  deleted('refused_call', own),
  deleted('event', ({ id }) => sql`recipient_id = ${id}`),
  deleted('event_draft', ({ id }) => sql`recipient_id = ${id}`),
  deleted('local_x_post', ({ xHandle, username }) => sql`handle = ${xHandle} and position(${username} in text) > 0`),
  deleted(
    'job',
    ({ id }) =>
      sql`kind <> 'erase' and (locked_until is null or failed_at is not null) and position(${id} in payload::text) > 0`,
  ),
  ...moderationSteps,
  emptied(
    'share_launch',
    ({ subject }) => sql`subject = ${subject} and name <> ''`,
    () => sql`name = ''`,
  ),
  leaveMap,
  leaveMentions,
  emptyAudit,
  leaveApprovals,
  leaveAudit,
  leaveRefusals,
]

/** Its signature, which would register it again, stays spent. */
function holdSignature(): Step<AgentSought> {
  return special(
    'static_signature',
    'deleted',
    async (db, deps, { wallet, name }) => {
      const purpose = 'register'
      const done = await db.run(sql`
        delete from static_signature where wallet_address = ${wallet} and purpose = ${purpose} and name = ${name}`)
      if (done === 0) return undefined
      await holdName(db, deps, heldSignature({ wallet, purpose, name }))
      return { done }
    },
    ({ wallet, name }) => sql`wallet_address = ${wallet} and name = ${name}`,
  )
}
