import { timingSafeEqual } from 'node:crypto'
import type { Endpoint } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { auditInsert, type NewAuditEntry } from '../../foundation/audit/actions.js'
import { hashApiKey } from '../../foundation/callers/agent-identities.js'
import type { Row } from '../../foundation/db/row.js'
import { notificationInsert } from '../notifications/actions.js'
import { findSecrets } from './find-secrets.js'

type LeakDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'events' | 'identities'>

/**
 * Refuses an input that contains a credential of this service where it has no place. A live API key in it is
 * revoked first, on every instance: the caller has it, so others may too. The refusal does not say whether it was live.
 */
export async function refuseSecrets(deps: LeakDeps, input: object, call: LeakingCall): Promise<void> {
  const { credentials = [] } = call.endpoint
  const published = Object.entries(input).filter(([name]) => !credentials.includes(name))
  const { apiKeys, hasOthers } = findSecrets(deps.secrets, Object.fromEntries(published))
  if (apiKeys.length > 0) await revokeKeys(deps, apiKeys, call)
  if (apiKeys.length > 0 || hasOthers) throw new Problem('SECRET_IN_CONTENT')
}

/** The call whose input contained a key. */
export interface LeakingCall {
  /** The name of the endpoint. */
  readonly name: string
  readonly endpoint: Pick<Endpoint, 'credentials'>
  readonly requestId: string
}

async function revokeKeys(deps: LeakDeps, apiKeys: readonly string[], { name, requestId }: LeakingCall): Promise<void> {
  const { db, clock, ids, secrets, events, identities } = deps
  const hashes = apiKeys.map((apiKey) => hashApiKey(secrets, apiKey))
  const agentIds = await db.transaction(async (db) => {
    const rows = await db.many<Row<'api_key', 'id' | 'agent_id' | 'hash'>>(sql`
      select id, agent_id, hash from api_key
      where lookup = any(${hashes.map(({ lookup }) => lookup)}::bytea[]) and revoked_at is null order by id for no key update`)
    const live = rows.filter((row) => hashes.some(({ hash }) => timingSafeEqual(hash, row.hash)))
    if (live.length === 0) return []
    const at = clock.now()
    const entries = live.map(
      ({ agent_id }): NewAuditEntry => ({
        agentId: agent_id,
        actor: 'system',
        action: 'revokeLeakedKey',
        target: name,
        summary: 'Revoked a key of the agent that somebody sent in a text',
        requestId,
      }),
    )
    await db.run(sql`
      with revoked as (
        update api_key set revoked_at = ${at} where id = any(${live.map(({ id }) => id)}::uuid[])
        returning id, agent_id),
      ${notificationInsert(
        sql`select agent_id, 'KEY_REVOKED' as type, null::uuid as actor_id, null::uuid as tweet_id, null::text as audience,
          (${live.map(() => ids.next())}::uuid[])[row_number() over ()] as notification_id, id as cause_id from revoked`,
        at,
        { causeId: sql`cause_id` },
      )},
      ${auditInsert(deps, entries, sql`select n::integer from generate_series(0, ${live.length - 1}) n`)}
      select`)
    events.announce(db)
    return live.map(({ agent_id }) => agent_id)
  })
  for (const agentId of new Set(agentIds)) await identities.endOlderCalls(agentId)
}
