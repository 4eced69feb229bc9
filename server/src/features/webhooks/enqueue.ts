import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import type { Queue } from '../../foundation/jobs/queue.js'

/**
 * Enqueues the sending of the deliveries that the transaction `db` inserts for these webhooks. A paused webhook gets no
 * job until it is resumed; the lock makes a concurrent resume wait, so that it finds the deliveries.
 */
export async function enqueueDeliveries(queue: Queue, db: Db, webhookIds: Iterable<string>): Promise<void> {
  const rows = await db.many<Row<'webhook', 'id' | 'quiet_until'>>(sql`
    select id, quiet_until from webhook where id = any(${literal([...webhookIds])}::uuid[]) and status = 'active'
    order by id for share`)
  await queue.hasten(
    db,
    'deliver_events',
    rows.map(({ id, quiet_until }) => ({ key: id, payload: { webhookId: id }, notBefore: quiet_until })),
  )
}

/** Enqueues waiting deliveries that have no job: those of instances of 0.1.0, and those whose job has failed for good. */
export async function adoptDeliveries({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  const rows = await db.many<Row<'webhook', 'id'>>(sql`
    select id from webhook where status = 'active'
      and exists (select from webhook_delivery where webhook_id = webhook.id and webhook_delivery.status = 'waiting')
      and not exists (select from job where dedupe_key = 'deliver_events ' || webhook.id and failed_at is null)`)
  await db.transaction((db) =>
    enqueueDeliveries(
      queue,
      db,
      rows.map(({ id }) => id),
    ),
  )
}
