import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import {
  createWebhook,
  deleteWebhook,
  pingWebhook,
  replayDeadLetters,
  replayDelivery,
  rotateSecret,
  updateWebhook,
} from './actions.js'
import { getWebhook, listDeliveries, listWebhooks } from './queries.js'
import { deliveryView, webhookView } from './view.js'

export function webhookRoutes(deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'post'>) {
  const { db } = deps
  return {
    async createWebhook({ agent, input }) {
      const { webhook, secret } = await createWebhook(deps, agent, input)
      return { webhook: webhookView(webhook), secret }
    },
    async listWebhooks({ agent, input }) {
      const { rows, meta } = await listWebhooks(db, agent.id, input)
      return { data: rows.map(webhookView), meta }
    },
    getWebhook: async ({ agent, input }) => webhookView(await getWebhook(db, agent.id, input.id)),
    updateWebhook: async ({ agent, input }) => webhookView(await updateWebhook(deps, agent, input)),
    async deleteWebhook({ agent, input: { id } }) {
      await deleteWebhook(deps, agent, id)
      return { id, deleted: true }
    },
    rotateWebhookSecret: async ({ agent, input }) => ({ secret: await rotateSecret(deps, agent, input.id) }),
    pingWebhook: ({ agent, input }) => pingWebhook(deps, agent, input.id),
    async listWebhookDeliveries({ agent, input }) {
      const { id } = await getWebhook(db, agent.id, input.id)
      const { rows, meta } = await listDeliveries(db, id, input)
      return { data: rows.map(deliveryView), meta }
    },
    replayDelivery: async ({ agent, input }) => deliveryView(await replayDelivery(deps, agent, input)),
    replayDeadLetters: async ({ agent, input }) => ({ replayed: await replayDeadLetters(deps, agent, input.id) }),
  } satisfies Partial<Handlers>
}
