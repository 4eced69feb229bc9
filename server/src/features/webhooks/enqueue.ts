import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Queue } from '../../foundation/jobs/queue.js'

/** Enqueues the sending of the deliveries that the transaction `db` inserts for these webhooks. */
export function enqueueDeliveries(queue: Queue, db: Db, webhookIds: Iterable<string>): Promise<void> {
  return queue.hasten(db, 'deliver_events', new Map([...webhookIds].map((webhookId) => [webhookId, { webhookId }])))
}

/** Enqueues waiting deliveries that have no job: instances of 0.1.0 insert deliveries and send them without a job. */
export async function adoptDeliveries({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  const rows = await db.many<Row<'webhook', 'id'>>(sql`
    select id from webhook where status = 'active'
      and exists (select from webhook_delivery where webhook_id = webhook.id and webhook_delivery.status = 'waiting')
      and not exists (select from job where dedupe_key = 'deliver_events ' || webhook.id)`)
  await enqueueDeliveries(
    queue,
    db,
    rows.map(({ id }) => id),
  )
}
