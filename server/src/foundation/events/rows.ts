import type { EventType, TopicKind } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { idAt } from '../db/id-at.js'
import type { Row } from '../db/row.js'
import type { Interest } from './interest.js'

/** An event in the order. */
export interface EventRow {
  readonly id: number
  readonly type: EventType
  readonly topic: TopicKind
  readonly at: Date
  readonly agentId: string | null
  readonly audience: string | null
  /** null when the event is for everyone. */
  readonly recipients: readonly string[] | null
  readonly tweetId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

type StoredEvent = Omit<
  Row<'event'>,
  'type' | 'topic' | 'recipients' | 'first_recipient' | 'last_recipient' | 'data'
> & {
  readonly type: EventType
  readonly topic: TopicKind
  readonly recipients: string | null
  readonly data: Record<string, unknown>
}

// As text: splitting it is many times faster than parsing an array of thousands.
const columns = sql`event.id, event.type, event.topic, event.at, event.agent_id, event.audience, event.recipient_id,
  event.recipients::text as recipients, event.tweet_id, event.data`

function eventRow(row: StoredEvent): EventRow {
  return {
    id: Number(row.id),
    type: row.type,
    topic: row.topic,
    at: row.at,
    agentId: row.agent_id,
    audience: row.audience,
    recipients: row.recipient_id === null ? (row.recipients?.slice(1, -1).split(',') ?? null) : [row.recipient_id],
    tweetId: row.tweet_id,
    data: row.data,
  }
}

/** The ids of the newest event and of the newest one that has been deleted. */
export async function getExtent(db: Db): Promise<{ lastId: number; prunedId: number }> {
  const row = await db.one<Row<'event_log', 'last_id' | 'pruned_id'>>(sql`select last_id, pruned_id from event_log`)
  return { lastId: Number(row.last_id), prunedId: Number(row.pruned_id) }
}

/** Lists the events after an id, whoever they are for. */
export async function listEvents(db: Db, after: number, limit: number): Promise<EventRow[]> {
  const rows = await db.many<StoredEvent>(
    sql`select ${columns} from event where id > ${after} order by id limit ${limit}`,
  )
  return rows.map(eventRow)
}

export interface EventRange {
  readonly after: number
  readonly upTo: number
}

/**
 * Lists the events of a range that match a reader's interests. The result is complete up to the returned `upTo`, which
 * is lower than the requested one when there are more than `limit`.
 */
export async function listEventsFor(
  db: Db,
  interests: readonly Interest[],
  { after, upTo }: EventRange,
  limit: number,
): Promise<{ rows: EventRow[]; upTo: number }> {
  const rowsById = new Map<number, EventRow>()
  let complete = upTo
  const oldest = await findOldestId(db, after)
  const queries = [
    ...ofAgents(interests, { after, upTo }, limit),
    ...interests.flatMap((interest) => queriesOf(interest, { after, upTo }, oldest)),
  ]
  for (const query of queries) {
    const rows = (await db.many<StoredEvent>(sql`${query} order by event.id limit ${limit}`)).map(eventRow)
    for (const row of rows) rowsById.set(row.id, row)
    const last = rows.at(-1)
    if (rows.length === limit && last) complete = Math.min(complete, last.id)
  }
  const rows = [...rowsById.values()].filter((row) => row.id <= complete).sort((a, b) => a.id - b.id)
  return { rows, upTo: complete }
}

// A notification may be written well before its transaction commits.
const COMMITTED_WITHIN_MS = 60 * 60_000

/** Finds the smallest id that a notification announced by an event after this one can have. */
async function findOldestId(db: Db, after: number): Promise<string> {
  const next = await db.find<Row<'event', 'at'>>(sql`select at from event where id > ${after} order by id limit 1`)
  return idAt(new Date((next?.at.getTime() ?? COMMITTED_WITHIN_MS) - COMMITTED_WITHIN_MS))
}

/** One query for all agents whose events are wanted since the same one. Each reads its part of the index up to the limit. */
function ofAgents(interests: readonly Interest[], { after, upTo }: EventRange, limit: number): Sql[] {
  const agentIds = new Map<number, string[]>()
  for (const interest of interests)
    if (interest.kind === 'agent')
      agentIds.set(interest.since, [...(agentIds.get(interest.since) ?? []), interest.agentId])
  return [...agentIds].map(
    ([since, ids]) => sql`
      select event.* from unnest(${ids}::uuid[]) as wanted (agent_id) cross join lateral (
        select ${columns} from event
        where event.agent_id = wanted.agent_id and event.id > ${Math.max(after, since)} and event.id <= ${upTo}
        order by event.id limit ${limit}) event`,
  )
}

function queriesOf(interest: Interest, { after, upTo }: EventRange, oldestId: string): Sql[] {
  if (interest.kind === 'agent') return []
  const within = sql`event.id > ${Math.max(after, interest.since)} and event.id <= ${upTo}`
  const select = (where: Sql) => sql`select ${columns} from event where ${where} and ${within}`
  if (interest.kind !== 'notifications')
    return [select(sql`event.topic = ${interest.kind} and event.topic <> 'notifications'`)]
  // The agent's own notifications lead to the events that notified it together with others.
  const sharedEvents = sql`
    select ${columns} from notification join event on event.tweet_id = notification.tweet_id
      and event.recipients is not null and event.data->>'type' = notification.type
      and notification.agent_id between event.first_recipient and event.last_recipient
    where notification.agent_id = ${interest.agentId} and notification.id >= ${oldestId} and ${within}`
  return [select(sql`event.recipient_id = ${interest.agentId}`), sharedEvents]
}
