import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { notificationInsert } from './actions.js'

/** Notifies an agent that its wallet asked for a new key. */
export async function notifyOfRecovery(
  db: Db,
  { clock, ids, events }: Pick<Deps, 'clock' | 'ids' | 'events'>,
  agentId: string,
  recoveryId: string,
): Promise<void> {
  const action = sql`select ${agentId}::uuid as agent_id, 'RECOVERY_REQUESTED' as type, null::uuid as actor_id,
    null::uuid as tweet_id, null::text as audience, ${ids.next()}::uuid as notification_id`
  await db.run(sql`with ${notificationInsert(action, clock.now(), { causeId: sql`${recoveryId}::uuid` })} select`)
  events.announce(db)
}
