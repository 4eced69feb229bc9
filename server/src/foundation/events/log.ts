import { type EventType, eventTypes } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'

/** An event as an action reports it. */
export interface NewEvent {
  readonly type: EventType
  /** The agent it is about, for types sent under `agent:{username}`. */
  readonly agentId?: string | null
  /** Only holders of this agent's shares may see it. */
  readonly audience?: string | null
  /** The recipient, for types sent under `notifications`. */
  readonly recipientId?: string
  /** The recipients when a tweet notifies many: sorted, and each agent in only one event of the tweet. */
  readonly recipients?: readonly string[]
  readonly tweetId?: string | null
  /** What can no longer be read from its own table when the event is sent. */
  readonly data?: object
}

/** Actions append events in their own transaction, so an event is sent if and only if the change was committed. */
export interface EventLog {
  append(db: Db, events: readonly NewEvent[]): Promise<void>
  /** Call after a statement that wrote drafts itself, with `eventDraftInsert`. */
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
      const rows = events.map(draftRow)
      await db.run(sql`
        insert into event_draft (type, topic, at, agent_id, audience, recipient_id, recipients, tweet_id, data)
        select type, topic, ${clock.now()}, agent_id, audience, recipient_id, recipients, tweet_id, data
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as draft (place integer, type text, topic text,
          agent_id uuid, audience text, recipient_id uuid, recipients uuid[], tweet_id uuid, data jsonb)
        order by place`)
      announce(db)
    },
    onAppended: (listener) => void listeners.push(listener),
  }
}

/** The columns of a draft for one recipient. */
interface DraftColumns {
  readonly recipientId: Sql
  readonly tweetId: Sql
  readonly data: Sql
}

/** For use in a `with`: writes an event for the recipient of each row of `from`. Call `announce` after the statement. */
export function eventDraftInsert(type: EventType, at: Date, columns: DraftColumns, from: Sql): Sql {
  const { recipientId, tweetId, data } = columns
  return sql`
    insert into event_draft (type, topic, at, recipient_id, tweet_id, data)
    select ${type}::text, ${eventTypes[type].topics[0]}::text, ${at}::timestamptz, ${recipientId}, ${tweetId}, ${data}
    from ${from}`
}

function draftRow(event: NewEvent, place: number) {
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
