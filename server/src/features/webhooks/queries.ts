import type { EventType, Topic } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import type { EventRow } from '../../foundation/events/rows.js'

type UnusedColumn = 'followed' | 'since' | 'lock_id' | 'locked_until'

export type WebhookRow = Omit<Row<'webhook'>, 'topics' | 'event_types' | UnusedColumn> & {
  readonly topics: Topic[]
  readonly event_types: EventType[]
  readonly dead_letters: number
}

export const webhookColumns = sql`webhook.id, webhook.agent_id, webhook.url, webhook.description, webhook.topics,
  webhook.event_types, webhook.status, webhook.paused_reason, webhook.secret, webhook.old_secret,
  webhook.old_secret_until, webhook.failures, webhook.failing_since, webhook.quiet_until, webhook.dropped, webhook.last_delivered_at, webhook.created_at,
  webhook.updated_at, (select count(*)::int from webhook_delivery
    where webhook_id = webhook.id and webhook_delivery.status = 'dead') as dead_letters`

export function listWebhooks(db: Db, agentId: string, request: PageRequest): Promise<Page<WebhookRow>> {
  return paginate<WebhookRow>(
    db,
    {
      name: 'webhooks',
      columns: webhookColumns,
      from: sql`webhook`,
      where: [sql`webhook.agent_id = ${agentId}`],
      order: { by: sql`webhook.id`, type: sql`uuid`, direction: 'desc' },
      id: sql`webhook.id`,
    },
    request,
  )
}

/** Finds a webhook of an agent. Another agent's webhook is not found. */
export async function getWebhook(db: Db, agentId: string, id: string): Promise<WebhookRow> {
  const row = await db.find<WebhookRow>(
    sql`select ${webhookColumns} from webhook where id = ${id} and agent_id = ${agentId}`,
  )
  if (!row) throw new Problem('WEBHOOK_NOT_FOUND')
  return row
}

/** An event as a delivery stores it. `toldAs` is the topic under which it is delivered. */
export type StoredEvent = Omit<EventRow, 'at'> & { readonly at: string; readonly toldAs: Topic }

export type DeliveryRow = Omit<Row<'webhook_delivery'>, 'event'> & { readonly event: StoredEvent }

export function listDeliveries(
  db: Db,
  webhookId: string,
  request: PageRequest & { readonly status?: DeliveryRow['status'] },
): Promise<Page<DeliveryRow>> {
  const where: Sql[] = [sql`webhook_id = ${webhookId}`]
  if (request.status !== undefined) where.push(sql`status = ${request.status}`)
  return paginate<DeliveryRow>(
    db,
    {
      name: 'webhook-deliveries',
      columns: sql`*`,
      from: sql`webhook_delivery`,
      where,
      order: { by: sql`id`, type: sql`uuid`, direction: 'desc' },
      id: sql`id`,
      capped: true,
    },
    request,
  )
}

/** Counts the deliveries that are waiting and those that were given up. */
export async function countDeliveries(db: Db): Promise<{ waiting: number; dead: number }> {
  return db.one(sql`
    select (select count(*)::int from webhook_delivery where status = 'waiting') as waiting,
      (select count(*)::int from webhook_delivery where status = 'dead') as dead`)
}
