import type { Webhook, WebhookDelivery } from '@rookery/api'
import type { DeliveryRow, WebhookRow } from './queries.js'

export function webhookView(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    topics: row.topics,
    eventTypes: row.event_types,
    status: row.status,
    pausedReason: row.paused_reason,
    failuresInARow: row.failures,
    deadLetters: row.dead_letters,
    droppedDeliveries: row.dropped,
    resumesAt: row.quiet_until?.toISOString() ?? null,
    lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function deliveryView(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: String(row.event.id),
    eventType: row.event.type,
    status: row.status,
    attempts: row.attempts,
    lastStatusCode: row.last_status_code,
    lastError: row.last_error,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
