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

/**
 * Drops the oldest waiting deliveries of these webhooks beyond the limit, and pauses a webhook that has accepted nothing
 * since its last failure. Call before `enqueueDeliveries`.
 */
export async function dropOldest(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  db: Db,
  webhookIds: Iterable<string>,
): Promise<void> {
  const most = config.WEBHOOK_WAITING
  const reason = `It does not accept deliveries, and more than ${most} were waiting: the oldest were dropped.`
  await db.run(sql`
    with dropped as (
      delete from webhook_delivery where id in (
        select surplus.id from unnest(${literal([...webhookIds])}::uuid[]) as wanted (id) cross join lateral (
          select id from webhook_delivery where webhook_id = wanted.id and status = 'waiting'
          order by id desc offset ${most}) surplus)
      returning webhook_id)
    update webhook set dropped = dropped + lost.count, updated_at = ${clock.now()},
      status = case when failing_since is null then status else 'paused' end,
      paused_reason = case when failing_since is null or status = 'paused' then paused_reason else ${reason} end
    from (select webhook_id, count(*)::int as count from dropped group by webhook_id) lost
    where webhook.id = lost.webhook_id`)
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
