import type { EventType, Topic } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import { getExtent } from '../../foundation/events/rows.js'
import { readTopics } from '../../foundation/events/topics.js'
import { dropOldest, enqueueDeliveries } from './enqueue.js'
import type { Post } from './post.js'
import { type DeliveryRow, getWebhook, type StoredEvent, type WebhookRow } from './queries.js'
import { makeSecret } from './secret.js'

type WebhookDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'ids' | 'secrets' | 'queue'> & { readonly post: Post }

const MOST_WEBHOOKS = 10
const OLD_SECRET_MS = 24 * 60 * 60_000

/** How long delivery is attempted before it is given up. */
export const TRIED_FOR_MS = 24 * 60 * 60_000

export interface WebhookInput {
  readonly url?: string
  readonly description?: string
  readonly topics?: readonly Topic[]
  readonly eventTypes?: readonly EventType[]
  readonly status?: 'active' | 'paused'
}

export async function createWebhook(
  deps: WebhookDeps,
  agent: AgentIdentity,
  { url, description = '', topics = ['notifications'], eventTypes = [] }: WebhookInput & { readonly url: string },
): Promise<{ webhook: WebhookRow; secret: string }> {
  const { db, clock, ids, secrets } = deps
  checkUrl(deps, url)
  const selection = await resolveTopics(db, agent, topics)
  const { secret, sealed, sealedBy } = makeSecret(secrets)
  const id = ids.next()
  const now = clock.now()
  const { lastId } = await getExtent(db)
  await db.transaction(async (db) => {
    // Parallel calls wait for each other at this lock; otherwise they would exceed the limit.
    await db.run(sql`select from agent where id = ${agent.id} for no key update`)
    const { count } = await db.one<{ count: number }>(
      sql`select count(*)::int as count from webhook where agent_id = ${agent.id}`,
    )
    if (count >= MOST_WEBHOOKS) throw new Problem('WEBHOOK_LIMIT')
    await db.run(sql`
      insert into webhook (id, agent_id, url, description, topics, followed, since, event_types, secret, sealed_by,
        created_at, updated_at)
      values (${id}, ${agent.id}, ${url}, ${description}, ${selection.topics}, ${selection.followed}::uuid[], ${lastId},
        ${eventTypes}, ${sealed}, ${sealedBy}, ${now}, ${now})`)
  })
  return { webhook: await getWebhook(db, agent.id, id), secret }
}

export async function updateWebhook(
  deps: WebhookDeps,
  agent: AgentIdentity,
  { id, url, description, topics, eventTypes, status }: WebhookInput & { readonly id: string },
): Promise<WebhookRow> {
  const { db, clock, queue } = deps
  await getWebhook(db, agent.id, id)
  if (url !== undefined) checkUrl(deps, url)
  const selection = topics && (await resolveTopics(db, agent, topics))
  const reason = status === 'paused' ? 'Paused by its agent.' : null
  await db.transaction(async (db) => {
    await db.run(sql`
      update webhook set url = coalesce(${url ?? null}, url), description = coalesce(${description ?? null}, description),
        topics = coalesce(${selection?.topics ?? null}::text[], topics),
        followed = coalesce(${selection?.followed ?? null}::uuid[], followed),
        event_types = coalesce(${eventTypes ?? null}::text[], event_types),
        status = coalesce(${status ?? null}, status),
        paused_reason = case when ${status ?? null}::text is null then paused_reason else ${reason} end,
        failures = case when ${status ?? null}::text = 'active' then 0 else failures end,
        failing_since = case when ${status ?? null}::text = 'active' then null else failing_since end,
        quiet_until = case when ${status ?? null}::text = 'active' then null else quiet_until end,
        updated_at = ${clock.now()}
      where id = ${id}`)
    if (status === 'active') await enqueueDeliveries(queue, db, [id])
  })
  return getWebhook(db, agent.id, id)
}

export async function deleteWebhook({ db }: Pick<WebhookDeps, 'db'>, agent: AgentIdentity, id: string): Promise<void> {
  await getWebhook(db, agent.id, id)
  await db.transaction((db) => db.run(sql`delete from webhook where id = ${id}`))
}

/** Creates a new secret. The old one also signs for another day, so that the receiver has time to switch. */
export async function rotateSecret(deps: WebhookDeps, agent: AgentIdentity, id: string): Promise<string> {
  await getWebhook(deps.db, agent.id, id)
  const { secret, sealed, sealedBy } = makeSecret(deps.secrets)
  const now = deps.clock.now()
  await deps.db.transaction((db) =>
    db.run(sql`
      update webhook set old_secret = secret, old_secret_until = ${new Date(now.getTime() + OLD_SECRET_MS)},
        secret = ${sealed}, updated_at = ${now},
        sealed_by = case when sealed_by = ${sealedBy} then sealed_by end
      where id = ${id}`),
  )
  return secret
}

/** Sends a delivery again that was given up, or that the receiver lost. */
export async function replayDelivery(
  { db, clock, queue }: Pick<WebhookDeps, 'db' | 'clock' | 'queue'>,
  agent: AgentIdentity,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
): Promise<DeliveryRow> {
  await getWebhook(db, agent.id, id)
  return db.transaction(async (db) => {
    const row = await db.find<DeliveryRow>(sql`
      update webhook_delivery set ${freshAttempt(clock.now())} where id = ${deliveryId} and webhook_id = ${id} returning *`)
    if (!row) throw new Problem('DELIVERY_NOT_FOUND')
    await enqueueDeliveries(queue, db, [id])
    return row
  })
}

/** Sends deliveries again that were given up, oldest first: as many as may wait. */
export async function replayDeadLetters(
  { db, clock, config, queue }: Pick<WebhookDeps, 'db' | 'clock' | 'config' | 'queue'>,
  agent: AgentIdentity,
  id: string,
): Promise<number> {
  await getWebhook(db, agent.id, id)
  return db.transaction(async (db) => {
    const replayed = await db.run(sql`
      update webhook_delivery set ${freshAttempt(clock.now())} where id in (
        select id from webhook_delivery where webhook_id = ${id} and status = 'dead' order by id limit greatest(0,
          ${config.WEBHOOK_WAITING}::int - (select count(*) from webhook_delivery waiting
            where waiting.webhook_id = ${id} and waiting.status = 'waiting')))`)
    await enqueueDeliveries(queue, db, [id])
    return replayed
  })
}

function freshAttempt(now: Date) {
  return sql`status = 'waiting', attempts = 0, next_attempt_at = ${now},
    give_up_at = ${new Date(now.getTime() + TRIED_FOR_MS)}, delivered_at = null`
}

/** Creates a delivery of a test event. */
export async function pingWebhook(deps: WebhookDeps, agent: AgentIdentity, id: string): Promise<DeliveryRow> {
  const { db, clock, config, ids, queue } = deps
  await getWebhook(db, agent.id, id)
  const now = clock.now()
  const event: StoredEvent = {
    id: 0,
    type: 'webhook.ping',
    topic: 'notifications',
    toldAs: 'notifications',
    at: now.toISOString(),
    agentId: null,
    audience: null,
    recipients: [agent.id],
    tweetId: null,
    data: { webhookId: id },
  }
  return db.transaction(async (db) => {
    // The webhook may have been deleted since it was found.
    const delivery = await db.find<DeliveryRow>(sql`
      insert into webhook_delivery (id, webhook_id, event, next_attempt_at, give_up_at, created_at)
      select ${ids.next()}::uuid, webhook.id, ${JSON.stringify(event)}::jsonb, ${now}::timestamptz,
        ${new Date(now.getTime() + TRIED_FOR_MS)}::timestamptz, ${now}::timestamptz
      from webhook where id = ${id} for key share
      returning *`)
    if (!delivery) throw new Problem('WEBHOOK_NOT_FOUND')
    await dropOldest({ clock, config }, db, [id])
    await enqueueDeliveries(queue, db, [id])
    return delivery
  })
}

/** The stored secrets that are in use now. */
export function secretsOf({ secret, old_secret, old_secret_until }: WebhookRow, now: Date): Buffer[] {
  return old_secret && old_secret_until && old_secret_until > now ? [secret, old_secret] : [secret]
}

export function isDelivered(outcome: { statusCode?: number } | { error: string }): boolean {
  const statusCode = 'statusCode' in outcome ? (outcome.statusCode ?? 0) : 0
  return statusCode >= 200 && statusCode < 300
}

function checkUrl({ post }: Pick<WebhookDeps, 'post'>, url: string): void {
  const reason = post.refuse(url)
  if (reason === undefined) return
  const message = `A webhook’s URL ${reason}.`
  throw new Problem('WEBHOOK_URL_REFUSED', { message, details: [{ path: 'url', message: reason }] })
}

async function resolveTopics(db: Db, agent: AgentIdentity, topics: readonly Topic[]) {
  const interests = await readTopics(db, agent, topics, 0)
  return {
    topics: interests.map(({ topic }) => topic),
    followed: interests.flatMap((interest) => (interest.kind === 'agent' ? [interest.agentId] : [])),
  }
}
