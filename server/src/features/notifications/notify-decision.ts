import type { NotifiedDecision } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import type { EventLog } from '../../foundation/events/log.js'
import { notificationInsert } from './actions.js'

/** Something that moderators decided, for one agent. */
export interface DecisionNotice {
  readonly agentId: string
  /** The decision, or the appeal that was answered. */
  readonly causeId: string
  readonly decision: NotifiedDecision
}

/** Notifies agents of what moderators decided about them or about what they had reported. */
export async function notifyOfDecision(
  db: Db,
  { clock, ids, events }: { clock: Clock; ids: Ids; events: EventLog },
  notices: readonly DecisionNotice[],
): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map(({ agentId, causeId, decision }) => ({
    notification_id: ids.next(),
    agent_id: agentId,
    cause_id: causeId,
    decision,
  }))
  await db.run(sql`
    with noticed as (${requestRows(rows, sql`notification_id uuid, agent_id uuid, cause_id uuid, decision jsonb`)}),
    ${notificationInsert(
      sql`select agent_id, 'MODERATION' as type, null::uuid as actor_id, null::uuid as tweet_id, null::text as audience,
        notification_id, cause_id, decision from noticed`,
      clock.now(),
      { causeId: sql`cause_id`, decision: sql`decision` },
    )}
    select`)
  events.announce(db)
}
