import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
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

export function webhookRoutes(deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'post' | 'dueDeliveries'>) {
  const { db } = deps
  return {
    async createWebhook({ agent, input, db }) {
      const { webhook, secret } = await createWebhook({ ...deps, db }, agent, input)
      return { webhook: webhookView(webhook), secret }
    },
    async listWebhooks({ agent, input }) {
      const { rows, meta } = await listWebhooks(db, agent.id, input)
      return { data: rows.map(webhookView), meta }
    },
    getWebhook: async ({ agent, input }) => webhookView(await getWebhook(db, agent.id, input.id)),
    updateWebhook: async ({ agent, input, db }) => webhookView(await updateWebhook({ ...deps, db }, agent, input)),
    async deleteWebhook({ agent, input: { id }, db }) {
      await deleteWebhook({ db }, agent, id)
      return { id, deleted: true }
    },
    rotateWebhookSecret: async ({ agent, input, db }) => ({
      secret: await rotateSecret({ ...deps, db }, agent, input.id),
    }),
    pingWebhook: async ({ agent, input, db }) => deliveryView(await pingWebhook({ ...deps, db }, agent, input.id)),
    async listWebhookDeliveries({ agent, input }) {
      const { id } = await getWebhook(db, agent.id, input.id)
      const { rows, meta } = await listDeliveries(db, id, input)
      return { data: rows.map(deliveryView), meta }
    },
    replayDelivery: async ({ agent, input, db }) => deliveryView(await replayDelivery({ ...deps, db }, agent, input)),
    replayDeadLetters: async ({ agent, input, db }) => ({
      replayed: await replayDeadLetters({ ...deps, db }, agent, input.id),
    }),
  } satisfies Partial<Handlers>
}
