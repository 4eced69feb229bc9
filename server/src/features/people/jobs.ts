import type { Deps } from '../../deps.js'
import type { Job, JobHandlers } from '../../foundation/jobs/worker.js'
import type { Post } from '../webhooks/post.js'
import { encryptMessage } from './encrypt-message.js'
import { listOwnersBrowsers, messageOfAlert, messageOfApproval } from './messages.js'
import { findSubscription, openSealed, removeSubscription } from './subscriptions.js'

type PushDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'secrets' | 'config' | 'log'> & { readonly post: Post }

const FIRST_RETRY_MS = 10_000
const MOST_FAILURES = 8

export function peopleJobs(deps: PushDeps): Pick<JobHandlers, 'push_approval' | 'send_push'> {
  const { db, queue } = deps
  return {
    async push_approval(job) {
      const { approvalId } = job.payload
      const browsers = await listOwnersBrowsers(db, approvalId)
      await db.transaction(async (db) => {
        const messages = browsers.map(({ id }) => ({ subscriptionId: id, approvalId }))
        await queue.enqueueMany(db, 'send_push', messages)
        await job.complete(db, [job.id])
      })
      return undefined
    },
    send_push: (job) => sendPush(deps, job),
  }
}

async function sendPush(deps: PushDeps, job: Job<'send_push'>) {
  const { db, clock, post, log } = deps
  const { subscriptionId, alertId, approvalId, failures = 0 } = job.payload
  const subscription = await findSubscription(db, subscriptionId)
  if (!subscription) return undefined
  const message =
    alertId === undefined
      ? await messageOfApproval(deps, subscription, approvalId ?? '')
      : await messageOfAlert(db, subscription, alertId)
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
