import type { Deps } from '../../deps.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import type { Post } from './post.js'
import { deliverEvents } from './send.js'

export function webhookJobs(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'> & { readonly post: Post },
): Pick<JobHandlers, 'deliver_events'> {
  return {
    async deliver_events(job) {
      // Most of the time is spent waiting for the receiver, and little is read, so the worker need not pause for it.
      await job.aside(deliverEvents(deps, job))
      return undefined
    },
  }
}
