import sql from 'sql-template-tag'
import { inSpan } from '../../adapters/traces/traces.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Row } from '../../foundation/db/row.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import type { EventRow } from '../../foundation/events/rows.js'
import type { Job } from '../../foundation/jobs/worker.js'
import { encodeEvent } from '../live/outgoing-event.js'
import { seeEvents } from '../live/views.js'
import { isDelivered, secretsOf } from './actions.js'
import type { Places } from './places.js'
import type { Post, PostOutcome } from './post.js'
import { type DeliveryRow, type WebhookRow, webhookColumns } from './queries.js'
import { signedHeaders } from './secret.js'
import { chargeWait, hasUsedUpWait } from './waits.js'

type SendDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mediaUrls' | 'traces'> & {
  readonly post: Post
  readonly places: Places
}

const AT_ONCE = 20
// A turn that has taken this long ends after its attempt, so that other webhooks have theirs.
const LONGEST_TURN_MS = 10_000
const NO_PLACE_RETRY_MS = 5_000
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 60 * 60_000
const LONGEST_QUIET_MS = 60_000
// A webhook that has accepted nothing for this long is paused when one of its deliveries is given up.
const PAUSED_AFTER_MS = 12 * 60 * 60_000

// Instances of 0.1.0 that still run know nothing of jobs: they leave a webhook alone while it is locked. A job keeps other jobs
// away, so all jobs lock with one name, and none waits for what a killed process has locked.
const LOCKED_BY_JOB = '00000000-0000-0000-0000-000000000000'
// Longer than a turn and the attempt in which it ends.
const LOCKED_MS = 60_000

type Receiver = WebhookRow & AgentViewer

/**
 * Sends some of the waiting deliveries of a webhook, oldest first, until one fails. While any are waiting the job remains,
 * behind those of other webhooks that are due.
 */
export async function deliverEvents(deps: SendDeps, job: Job<'deliver_events'>): Promise<void> {
  const { webhookId } = job.payload
  const webhook = await lockReceiver(deps, webhookId)
  const isAllowed = webhook !== undefined && !(await hasUsedUpWait(deps, webhook.agent_id))
  const free = isAllowed ? deps.places.take(webhookId, receiverOf(webhook)) : undefined
  const hasNoPlace = isAllowed && !free
  try {
    if (webhook && free) await sendDue(deps, webhook, job)
  } finally {
    free?.()
  }
  await deps.db.transaction(async (db) => {
    // Locks the job: a delivery inserted from now on hastens the job afterwards; one inserted earlier is found here.
    await job.saveProgress(db, job.payload)
    if (webhook)
      await db.run(sql`
        update webhook set lock_id = null, locked_until = null where id = ${webhookId} and lock_id = ${LOCKED_BY_JOB}`)
    const next = await findNextAttempt(db, webhookId)
    const earliest = deps.clock.now().getTime() + (hasNoPlace ? NO_PLACE_RETRY_MS : 0)
    await (next ? job.postpone(db, new Date(Math.max(next.getTime(), earliest))) : job.complete(db, [job.id]))
  })
}

function receiverOf({ agent_id, url }: WebhookRow): { agentId: string; host: string } {
  return { agentId: agent_id, host: new URL(url).host }
}

async function sendDue(deps: SendDeps, webhook: Receiver, job: Job<'deliver_events'>): Promise<void> {
  const startedAt = deps.clock.now().getTime()
  for (let posts = 0; posts < AT_ONCE && !job.stopping(); ) {
    const delivery = await findDue(deps, webhook)
    if (!delivery) return
    const outcome = await sendOne(deps, webhook, delivery)
    if (outcome === undefined) continue
    posts++
    if (!isDelivered(outcome) || deps.clock.now().getTime() - startedAt > LONGEST_TURN_MS) return
  }
}

/** The time of a webhook's next attempt, if any deliveries are waiting. */
async function findNextAttempt(db: Db, webhookId: string): Promise<Date | undefined> {
  const row = await db.find<{ next: Date }>(sql`
    select greatest(min(next_attempt_at), quiet_until, locked_until) as next from webhook join webhook_delivery on webhook_id = webhook.id
    where webhook.id = ${webhookId} and webhook.status = 'active' and webhook_delivery.status = 'waiting'
    group by webhook.id`)
  return row?.next
}

/** Undefined for a webhook that is paused, deleted, in its quiet time after a failure, or in the hands of an instance of 0.1.0. */
function lockReceiver({ db, clock }: SendDeps, id: string): Promise<Receiver | undefined> {
  const now = clock.now()
  return db.find<Receiver>(sql`
    with locked as (
      update webhook set lock_id = ${LOCKED_BY_JOB}, locked_until = ${new Date(now.getTime() + LOCKED_MS)}
      where id = ${id} and status = 'active' and (quiet_until is null or quiet_until <= ${now})
        and (locked_until is null or locked_until <= ${now} or lock_id = ${LOCKED_BY_JOB})
      returning *)
    select ${webhookColumns}, agent.subject, agent.wallet_address as "walletAddress"
    from locked webhook join agent on agent.id = webhook.agent_id`)
}

function findDue({ db, clock }: SendDeps, webhook: Receiver): Promise<DeliveryRow | undefined> {
  return db.find<DeliveryRow>(sql`
    select * from webhook_delivery where webhook_id = ${webhook.id} and status = 'waiting'
      and next_attempt_at <= ${clock.now()} order by id limit 1`)
}

/** Makes one attempt. Deletes the delivery instead when the event is gone or its agent may no longer see it. */
async function sendOne(deps: SendDeps, webhook: Receiver, delivery: DeliveryRow): Promise<PostOutcome | undefined> {
  const { db, clock, secrets } = deps
  const row: EventRow = { ...delivery.event, at: new Date(delivery.event.at) }
  const viewer = {
    id: webhook.agent_id,
    subject: webhook.subject,
    walletAddress: webhook.walletAddress,
    hasHidden: true,
  }
  const data = (await seeEvents(deps, [{ row, viewers: [viewer] }]))(row, viewer)
  if (data === undefined) {
    await db.run(sql`delete from webhook_delivery where id = ${delivery.id}`)
    return undefined
  }
  const at = clock.now()
  const body = encodeEvent(row, delivery.event.toldAs, data).json
  const headers = signedHeaders(secrets, secretsOf(webhook, at), { id: delivery.id, at, body })
  const outcome = await postTraced(deps, webhook.url, headers, body)
  await (isDelivered(outcome)
    ? recordSuccess(deps, delivery, outcome)
    : recordFailure(deps, webhook, delivery, outcome))
  await chargeWait(deps, webhook.agent_id, clock.now().getTime() - at.getTime())
  return outcome
}

/** Tells the receiver which trace its delivery belongs to. */
function postTraced(
  { post, traces }: SendDeps,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<PostOutcome> {
  if (!traces) return post(url, headers, body)
  const describe = () =>
    ({ name: 'webhook POST', kind: 'client', attributes: { 'server.address': new URL(url).hostname } }) as const
  const send = () => {
    const span = traces.current()
    return post(url, { ...headers, ...(span && { traceparent: span.traceparent }) }, body)
  }
  return inSpan(traces, describe, send, (outcome) =>
    'statusCode' in outcome ? { 'http.response.status_code': outcome.statusCode } : { 'error.type': 'no_answer' },
  )
}

function recordSuccess({ db, clock }: SendDeps, delivery: DeliveryRow, outcome: PostOutcome): Promise<void> {
  const now = clock.now()
  return db.transaction(async (db) => {
    await db.run(sql`
      update webhook_delivery set status = 'delivered', attempts = attempts + 1, delivered_at = ${now},
        last_status_code = ${'statusCode' in outcome ? outcome.statusCode : null}, last_error = null,
        next_attempt_at = null
      where id = ${delivery.id}`)
    await db.run(sql`
      update webhook set failures = 0, failing_since = null, quiet_until = null, last_delivered_at = ${now}
      where id = ${delivery.webhook_id}`)
  })
}

function recordFailure(
  { db, clock }: SendDeps,
  webhook: Receiver,
  delivery: DeliveryRow,
  outcome: PostOutcome,
): Promise<void> {
  const now = clock.now().getTime()
  const retryAt = new Date(now + Math.min(FIRST_RETRY_MS * 2 ** delivery.attempts, LAST_RETRY_MS))
  const isDead = retryAt > delivery.give_up_at
  const statusCode = 'statusCode' in outcome ? outcome.statusCode : null
  const error = 'error' in outcome ? outcome.error : `The receiver answered ${outcome.statusCode}.`
  return db.transaction(async (db) => {
    await db.run(sql`
      update webhook_delivery set attempts = attempts + 1, last_status_code = ${statusCode}, last_error = ${error},
        status = ${isDead ? 'dead' : 'waiting'}, next_attempt_at = ${isDead ? null : retryAt}
      where id = ${delivery.id}`)
    const failing = await db.find<Row<'webhook', 'failures'> & { failing_since: Date }>(sql`
      update webhook set failures = failures + 1, failing_since = coalesce(failing_since, ${new Date(now)})
      where id = ${webhook.id} returning failures, failing_since`)
    // It was deleted while its receiver was asked.
    if (!failing) return
    const { failures, failing_since } = failing
    const quietUntil = new Date(now + Math.min(1_000 * 2 ** failures, LONGEST_QUIET_MS))
    await db.run(sql`update webhook set quiet_until = ${quietUntil} where id = ${webhook.id}`)
    if (!isDead || now - failing_since.getTime() < PAUSED_AFTER_MS) return
    const reason = `A delivery was given up, and nothing was accepted for hours. The last attempt: ${error}`
    await db.run(sql`
      update webhook set status = 'paused', paused_reason = ${reason.slice(0, 500)}, updated_at = ${new Date(now)}
      where id = ${webhook.id} and status = 'active'`)
  })
}

const DAY_MS = 24 * 60 * 60_000
const DELETED_AT_ONCE = 5_000

/** Gives up deliveries that waited too long for a paused webhook, and deletes old ones. */
export async function deleteOldDeliveries({ db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock.now().getTime()
  await db.run(sql`
    update webhook_delivery set status = 'dead', next_attempt_at = null,
      last_error = coalesce(last_error, 'The webhook was paused.')
    where status = 'waiting' and give_up_at <= ${new Date(now)} and webhook_id in (
      select id from webhook where status = 'paused')`)
  // Ids contain their time, so the key finds what is old.
  const before = (days: number) => idAt(new Date(days === 0 ? 0 : now - days * DAY_MS))
  const [delivered, dead] = [before(config.KEEP_DELIVERIES_DAYS), before(config.KEEP_DEAD_DELIVERIES_DAYS)]
  const deleteSome = () =>
    db.run(sql`
      delete from webhook_delivery where id in (
        select id from webhook_delivery
        where id < greatest(${delivered}::uuid, ${dead}::uuid)
          and ((status = 'delivered' and id < ${delivered}) or (status = 'dead' and id < ${dead}))
        order by id limit ${DELETED_AT_ONCE})`)
  while ((await deleteSome()) === DELETED_AT_ONCE);
}
