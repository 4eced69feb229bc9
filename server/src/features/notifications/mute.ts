import type { MutableNotificationType } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { listMuted } from './queries.js'

/** Mutes these types for an agent and unmutes all others. */
export function muteTypes(
  db: Db,
  agentId: string,
  types: readonly MutableNotificationType[],
): Promise<MutableNotificationType[]> {
  return db.transaction(async (db) => {
    await db.run(sql`delete from notification_mute where agent_id = ${agentId} and type <> all(${types}::text[])`)
    await db.run(sql`
      insert into notification_mute (agent_id, type) select ${agentId}, type from unnest(${types}::text[]) as muted (type)
      on conflict do nothing`)
    return listMuted(db, agentId)
  })
}
