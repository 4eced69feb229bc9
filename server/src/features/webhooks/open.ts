import { createDueDeliveries, type DueDeliveries } from './due.js'
import { createPost, type Post } from './post.js'

/** What webhooks keep while the process runs. */
export interface Webhooks {
  /** Posts to addresses that others chose. */
  readonly post: Post
  readonly dueDeliveries: DueDeliveries
}

export function openWebhooks(config: { readonly WEBHOOKS_ALLOW_PRIVATE: string }, post?: Post): Webhooks {
  return {
    post: post ?? createPost({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE === 'yes' }),
    dueDeliveries: createDueDeliveries(),
  }
}
