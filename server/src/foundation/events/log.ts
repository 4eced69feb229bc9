import { type EventType, eventTypes } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'

/** Something that happened, as the action that did it tells of it. */
export interface NewEvent {
  readonly type: EventType
  /** The agent it is about, for types that are told under `agent:{username}`. */
  readonly agentId?: string | null
  /** Whose holders alone may see it. */
  readonly audience?: string | null
  /** Whom it is for, for types that are told under `notifications`. */
  readonly recipientId?: string
  /** Whom it is for when one tweet is told to many: sorted, and each agent in one of the events of a tweet. */
  readonly recipients?: readonly string[]
  readonly tweetId?: string | null
  /** What cannot be read from its own table when the event is told. */
  readonly data?: object
}

/** Where actions write what happened: in their own transaction, so that it is told if and only if it happened. */
export interface EventLog {
  append(db: Db, events: readonly NewEvent[]): Promise<void>
  /** Says that a statement wrote drafts by itself, with `drafting`. */
  announce(db: Db): void
  /** Calls `listener` whenever this process has committed events. */
  onAppended(listener: () => void): void
}

export function createEventLog({ clock }: { clock: Clock }): EventLog {
  const listeners: (() => void)[] = []
  function announce(db: Db): void {
    db.afterCommit(() => {
      for (const listener of listeners) listener()
    })
  }
  return {
    announce,
    async append(db, events) {
      if (events.length === 0) return
      const rows = events.map(draft)
      await db.run(sql`
        insert into event_draft (type, topic, at, agent_id, audience, recipient_id, recipients, tweet_id, data)
        select type, topic, ${clock.now()}, agent_id, audience, recipient_id, recipients, tweet_id, data
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as it (place integer, type text, topic text,
          agent_id uuid, audience text, recipient_id uuid, recipients uuid[], tweet_id uuid, data jsonb)
        order by place`)
      announce(db)
    },
    onAppended: (listener) => void listeners.push(listener),
  }
}

/** The columns of a draft that a statement may fill; what it leaves out is null. */
interface DraftColumns {
  readonly agentId?: Sql
  readonly audience?: Sql
  readonly recipientId?: Sql
  readonly tweetId?: Sql
  readonly data?: Sql
}

/** A statement that writes an event for each row of `from`, for use in a `with`; `announce` it when it has run. */
export function drafting(type: EventType, at: Date, columns: DraftColumns, from: Sql): Sql {
  const { agentId = none, audience = none, recipientId = none, tweetId = none, data = sql`'{}'::jsonb` } = columns
  return sql`
    insert into event_draft (type, topic, at, agent_id, audience, recipient_id, tweet_id, data)
    select ${type}::text, ${eventTypes[type].topics[0]}::text, ${at}::timestamptz, ${agentId}, ${audience},
      ${recipientId}, ${tweetId}, ${data}
    from ${from}`
}

const none = sql`null`

function draft(event: NewEvent, place: number) {
  return {
    place,
    type: event.type,
    topic: eventTypes[event.type].topics[0],
    agent_id: event.agentId ?? null,
    audience: event.audience ?? null,
    recipient_id: event.recipientId ?? null,
    recipients: event.recipients ?? null,
    tweet_id: event.tweetId ?? null,
    data: event.data ?? {},
  }
}
