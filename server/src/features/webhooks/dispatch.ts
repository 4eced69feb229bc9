import type { Topic } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import type { Interest } from '../../foundation/events/interest.js'
import { type EventRow, listEvents } from '../../foundation/events/rows.js'
import { inOrder, keyOf, keysOf, topicFor } from '../../foundation/events/topics.js'
import { seeEvents } from '../live/views.js'
import { TRIED_FOR_MS } from './actions.js'
import { dropOldest, enqueueDeliveries } from './enqueue.js'
import type { StoredEvent } from './queries.js'

const AT_ONCE = 500

type DispatchDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'ids' | 'mediaUrls' | 'queue'>

type SubscriberRow = Row<'webhook', 'id' | 'agent_id' | 'followed' | 'since' | 'event_types'> &
  Row<'agent', 'subject' | 'wallet_address'> & { readonly topics: Topic[] }

interface Subscriber {
  readonly id: string
  readonly viewer: AgentViewer
  readonly eventTypes: readonly string[]
  readonly interests: readonly Interest[]
}

/** Moves the cursor to the end of the log when there are no webhooks. Returns whether it did. */
export async function skipUnwanted(db: Db): Promise<boolean> {
  const skipped = await db.run(sql`
    update webhook_cursor set event_id = last_id from event_log where not exists (select from webhook)`)
  return skipped > 0
}

/**
 * Reads the next events of the log and inserts a delivery for every webhook that subscribes to them. The same transaction
 * moves the cursor, so each delivery is inserted once. Returns 0 when the end of the log is reached.
 */
export function dispatchEvents(deps: DispatchDeps): Promise<number> {
  return deps.db.transaction(async (db) => {
    const cursor = await db.find<Row<'webhook_cursor', 'event_id'>>(
      sql`select event_id from webhook_cursor for update skip locked`,
    )
    if (!cursor) return 0
    const rows = await listEvents(db, Number(cursor.event_id), AT_ONCE)
    const last = rows.at(-1)
    if (!last) return 0
    await insertDeliveries(deps, db, rows)
    await db.run(sql`update webhook_cursor set event_id = ${last.id}`)
    return rows.length === AT_ONCE ? AT_ONCE : 0
  })
}

async function insertDeliveries(deps: DispatchDeps, db: Db, rows: readonly EventRow[]): Promise<void> {
  const { clock, ids, mediaUrls, queue } = deps
  const byKey = await findSubscribers(db)
  if (byKey.size === 0) return
  const wanted = rows.map((row) => ({ row, subscribers: subscribersOf(byKey, row) }))
  const see = await seeEvents(
    { db, mediaUrls },
    wanted.flatMap(({ row, subscribers }) =>
      subscribers.length === 0 ? [] : [{ row, viewers: subscribers.map(({ viewer }) => viewer) }],
    ),
  )
  const now = clock.now()
  const deliveries = wanted.flatMap(({ row, subscribers }) =>
    subscribers.flatMap(({ id, viewer, interests }) => {
      const toldAs = topicFor(row, interests)
      if (toldAs === undefined || see(row, viewer) === undefined) return []
      const recipients = row.recipients && [viewer.id]
      const event: StoredEvent = { ...row, recipients, at: row.at.toISOString(), toldAs }
      return [{ id: ids.next(), webhook_id: id, event }]
    }),
  )
  if (deliveries.length === 0) return
  await db.run(sql`
    insert into webhook_delivery (id, webhook_id, event, next_attempt_at, give_up_at, created_at)
    select id, webhook_id, event, ${now}, ${new Date(now.getTime() + TRIED_FOR_MS)}, ${now}
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as input (id uuid, webhook_id uuid, event jsonb)`)
  const webhookIds = new Set(deliveries.map(({ webhook_id }) => webhook_id))
  await dropOldest(deps, db, webhookIds)
  await enqueueDeliveries(queue, db, webhookIds)
}

function subscribersOf(byKey: ReadonlyMap<string, readonly Subscriber[]>, row: EventRow): Subscriber[] {
  const subscribers = new Set(keysOf(row).flatMap((key) => byKey.get(key) ?? []))
  return [...subscribers].filter(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(row.type))
}

async function findSubscribers(db: Db): Promise<Map<string, Subscriber[]>> {
  const rows = await db.many<SubscriberRow>(sql`
    select webhook.id, webhook.topics, webhook.followed, webhook.since, webhook.event_types, agent.id as agent_id, agent.subject,
      agent.wallet_address
    from webhook join agent on agent.id = webhook.agent_id`)
  const byKey = new Map<string, Subscriber[]>()
  for (const row of rows) {
    const followed = [...row.followed]
    const since = Number(row.since)
    const interests = row.topics.map((topic): Interest => {
      if (topic === 'trades' || topic === 'tweets' || topic === 'follows') return { topic, kind: topic, since }
      if (topic === 'notifications') return { topic, kind: topic, since, agentId: row.agent_id }
      return { topic, kind: 'agent', since, agentId: followed.shift() ?? '' }
    })
    const viewer = { id: row.agent_id, subject: row.subject, walletAddress: row.wallet_address, hasHidden: true }
    const subscriber = { id: row.id, viewer, eventTypes: row.event_types, interests: inOrder(interests) }
    for (const key of interests.map(keyOf)) byKey.set(key, [...(byKey.get(key) ?? []), subscriber])
  }
  return byKey
}
