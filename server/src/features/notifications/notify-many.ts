import type { NotificationType } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import type { EventLog } from '../../foundation/events/log.js'
import { inboxIncrease, isMuted, isUnwanted } from './actions.js'
import type { NotificationData } from './events.js'

/** A notification of one agent about a tweet. */
export interface NewNotification {
  readonly agentId: string
  readonly type: NotificationType
  readonly actorId: string
  readonly tweetId: string
}

type NotifiedRow = Row<'notification', 'type'> & {
  readonly actor_id: string
  readonly tweet_id: string
  readonly recipients: string
}

/**
 * Notifies many agents about many tweets in one statement. Skips self-notifications, muted types and hidden agents;
 * the unique constraint drops repeats.
 * Callers that split the recipients of one tweet and type over several calls must split them in the order of their ids.
 */
export async function notifyMany(
  db: Db,
  { clock, ids, events }: { clock: Clock; ids: Ids; events: EventLog },
  notifications: readonly NewNotification[],
): Promise<void> {
  const others = notifications.filter(({ agentId, actorId }) => agentId !== actorId)
  if (others.length === 0) return
  const column = (value: (notification: NewNotification) => string) => literal(others.map(value))
  const rows = await db.many<NotifiedRow>(sql`
    with notified as (
      insert into notification (id, agent_id, type, actor_id, tweet_id, audience, created_at)
      select wanted.id, wanted.agent_id, wanted.type, actor_id, tweet_id, tweet.audience, ${clock.now()}
      from unnest(${column(() => ids.next())}::uuid[], ${column(({ agentId }) => agentId)}::uuid[],
        ${column(({ type }) => type)}::text[], ${column(({ actorId }) => actorId)}::uuid[],
        ${column(({ tweetId }) => tweetId)}::uuid[]) as wanted (id, agent_id, type, actor_id, tweet_id)
      join tweet on tweet.id = tweet_id
      where not ${isMuted(sql`wanted.agent_id`, sql`wanted.type`)} and not ${isUnwanted(sql`wanted`)}
      on conflict do nothing
      returning agent_id, type, actor_id, tweet_id
    ), counted as (${inboxIncrease(sql`notified`)})
    select tweet_id, type, actor_id, array_agg(agent_id order by agent_id)::text as recipients
    from notified group by tweet_id, type, actor_id order by tweet_id, type`)
  await events.append(
    db,
    rows.map(({ tweet_id, type, actor_id, recipients }) => {
      const data: NotificationData = { type, actorId: actor_id }
      return {
        type: 'notification.created' as const,
        recipients: recipients.slice(1, -1).split(','),
        tweetId: tweet_id,
        data,
      }
    }),
  )
}
