import type { NotificationType } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import type { EventLog } from '../../foundation/events/log.js'
import { boxing } from './actions.js'
import type { Deed } from './events.js'

/** One agent to be told of a tweet. */
export interface Telling {
  readonly agentId: string
  readonly type: NotificationType
  readonly actorId: string
  readonly tweetId: string
}

type Told = Row<'notification', 'type' | 'actor_id'> & { readonly tweet_id: string; readonly recipients: string }

/**
 * Tells many agents of many tweets in one statement. Nobody is told of what it did itself, and of one deed once. The
 * agents of one tweet and type must lie between those of the calls before and after.
 */
export async function notifyMany(
  db: Db,
  { clock, ids, events }: { clock: Clock; ids: Ids; events: EventLog },
  tellings: readonly Telling[],
): Promise<void> {
  const others = tellings.filter(({ agentId, actorId }) => agentId !== actorId)
  if (others.length === 0) return
  const all = (value: (it: Telling) => string) => literal(others.map(value))
  const told = await db.many<Told>(sql`
    with told as (
      insert into notification (id, agent_id, type, actor_id, tweet_id, audience, created_at)
      select it.id, it.agent_id, it.type, actor_id, tweet_id, tweet.audience, ${clock.now()}
      from unnest(${all(() => ids.next())}::uuid[], ${all(({ agentId }) => agentId)}::uuid[],
        ${all(({ type }) => type)}::text[], ${all(({ actorId }) => actorId)}::uuid[],
        ${all(({ tweetId }) => tweetId)}::uuid[]) as it (id, agent_id, type, actor_id, tweet_id)
      join tweet on tweet.id = tweet_id
      on conflict on constraint notification_once do nothing
      returning agent_id, type, actor_id, tweet_id
    ), counted as (${boxing(sql`told`)})
    select tweet_id, type, actor_id, array_agg(agent_id order by agent_id)::text as recipients
    from told group by tweet_id, type, actor_id order by tweet_id, type`)
  await events.append(
    db,
    told.map(({ tweet_id, type, actor_id, recipients }) => {
      const deed: Deed = { type, actorId: actor_id }
      return {
        type: 'notification.created' as const,
        recipients: recipients.slice(1, -1).split(','),
        tweetId: tweet_id,
        data: deed,
      }
    }),
  )
}
