import type { Deps } from '../../deps.js'
import type { JobPayloads } from '../../foundation/jobs/queue.js'
import type { Job, JobHandlers } from '../../foundation/jobs/worker.js'
import type { Post } from '../webhooks/post.js'
import { encryptMessage, type Message } from './encrypt-message.js'
import { listOwnersBrowsers, messageOfAlert, messageOfApproval, messageOfRecovery } from './messages.js'
import { findSubscription, openSealed, removeSubscription, type SubscriptionRow } from './subscriptions.js'

type PushDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'secrets' | 'config' | 'log'> & { readonly post: Post }

const FIRST_RETRY_MS = 10_000
const MOST_FAILURES = 8

export function peopleJobs(deps: PushDeps): Pick<JobHandlers, 'push_approval' | 'push_recovery' | 'send_push'> {
  return {
    push_approval: (job) => pushToOwner(deps, job),
    push_recovery: (job) => pushToOwner(deps, job),
    send_push: (job) => sendPush(deps, job),
  }
}

async function pushToOwner({ db, queue }: PushDeps, job: Job<'push_approval'> | Job<'push_recovery'>) {
  const about = job.payload
  const browsers = await listOwnersBrowsers(db, about)
  await db.transaction(async (db) => {
    const messages = browsers.map(({ id }) => ({ subscriptionId: id, ...about }))
    await queue.enqueueMany(db, 'send_push', messages)
    await job.complete(db, [job.id])
  })
  return undefined
}

async function sendPush(deps: PushDeps, job: Job<'send_push'>) {
  const { db, clock, post, log } = deps
  const { subscriptionId, failures = 0 } = job.payload
  const subscription = await findSubscription(db, subscriptionId)
  if (!subscription) return undefined
  const message = await messageOf(deps, subscription, job.payload)
  if (!message) return undefined
  const browser = openSealed(deps, subscription)
  if (!browser) return removeSubscription(db, subscription.id).then(() => undefined)
  const { headers, body } = encryptMessage(deps, browser, message)
  const outcome = await job.aside(post(browser.endpoint, headers, body))
  const status = 'statusCode' in outcome ? outcome.statusCode : 0
  if (status >= 200 && status < 300) return undefined
  // The browser has unsubscribed, or is gone.
  if (status === 404 || status === 410) return removeSubscription(db, subscription.id).then(() => undefined)
  const mayWorkLater = status === 0 || status === 429 || status >= 500
  if (!mayWorkLater || failures + 1 >= MOST_FAILURES) {
    // The address stays out of the log: who knows it can send to it.
    log.warn({ status }, 'a push service did not take a message')
    return undefined
  }
  await db.transaction((db) => job.saveProgress(db, { ...job.payload, failures: failures + 1 }))
  return { again: new Date(clock.now().getTime() + FIRST_RETRY_MS * 2 ** failures) }
}

async function messageOf(
  deps: PushDeps,
  subscription: SubscriptionRow,
  { alertId, approvalId, recoveryId }: JobPayloads['send_push'],
): Promise<Message | undefined> {
  if (alertId !== undefined) return messageOfAlert(deps.db, subscription, alertId)
  if (approvalId !== undefined) return messageOfApproval(deps, subscription, approvalId)
  return recoveryId === undefined ? undefined : messageOfRecovery(deps, subscription, recoveryId)
}
