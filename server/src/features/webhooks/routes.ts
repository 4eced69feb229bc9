import type { Handlers } from '../../call.js'
import {
  createWebhook,
  deleteWebhook,
  pingWebhook,
  replayDeadLetters,
  replayDelivery,
  rotateSecret,
  updateWebhook,
} from './actions.js'
import type { Post } from './post.js'
import { getWebhook, listDeliveries, listWebhooks } from './queries.js'
import { deliveryView, webhookView } from './view.js'

export function webhookRoutes(post: Post) {
  return {
    async createWebhook({ agent, input, deps }) {
      const { webhook, secret } = await createWebhook({ ...deps, post }, agent, input)
      return { webhook: webhookView(webhook), secret }
    },
    async listWebhooks({ agent, input, deps: { db } }) {
      const { rows, meta } = await listWebhooks(db, agent.id, input)
      return { data: rows.map(webhookView), meta }
    },
    getWebhook: async ({ agent, input, deps }) => webhookView(await getWebhook(deps.db, agent.id, input.id)),
    updateWebhook: async ({ agent, input, deps }) => webhookView(await updateWebhook({ ...deps, post }, agent, input)),
    async deleteWebhook({ agent, input: { id }, deps }) {
      await deleteWebhook(deps, agent, id)
      return { id, deleted: true }
    },
    rotateWebhookSecret: async ({ agent, input, deps }) => ({
      secret: await rotateSecret({ ...deps, post }, agent, input.id),
    }),
    pingWebhook: async ({ agent, input, deps }) => deliveryView(await pingWebhook({ ...deps, post }, agent, input.id)),
    async listWebhookDeliveries({ agent, input, deps: { db } }) {
      const { id } = await getWebhook(db, agent.id, input.id)
      const { rows, meta } = await listDeliveries(db, id, input)
      return { data: rows.map(deliveryView), meta }
    },
    replayDelivery: async ({ agent, input, deps }) => deliveryView(await replayDelivery(deps, agent, input)),
    replayDeadLetters: async ({ agent, input, deps }) => ({
      replayed: await replayDeadLetters(deps, agent, input.id),
    }),
  } satisfies Partial<Handlers>
}
