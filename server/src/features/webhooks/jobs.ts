import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { createPlaces } from './places.js'
import type { Post } from './post.js'
import { deliverEvents } from './send.js'

export function webhookJobs(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mediaUrls' | 'queue' | 'log' | 'traces'> & { readonly post: Post },
): Pick<JobHandlers, 'deliver_events'> {
  const { db, queue, log } = deps
  // Without this the webhook would be tried again only after a pause.
  const places = createPlaces((webhookId) => {
    const job = { key: webhookId, payload: { webhookId } }
    db.transaction((db) => queue.hasten(db, 'deliver_events', [job])).catch((error: Error) =>
      log.warn({ message: error.message }, 'a webhook waits longer than it has to'),
    )
  })
  return {
    async deliver_events(job) {
      // Most of the time is spent waiting for the receiver, and little is read, so the worker need not pause for it.
      await job.aside(deliverEvents({ ...deps, places }, job))
      return undefined
    },
  }
}
