import type { Handlers } from '../../call.js'
import { getAgent } from '../agents/queries.js'
import type { Post } from '../webhooks/post.js'
import { countUnreadAlerts, listAlerts, markAlertsRead } from './alerts.js'
import { findRelation, followAsWallet, unfollowAsWallet, unwatchAgent, watchAgent } from './follows.js'
import { listWalletFollows, listWatches } from './queries.js'
import { requireWallet } from './require-wallet.js'
import { createSubscription, deleteSubscription } from './subscriptions.js'
import { alertView, relationView, walletFollowView, walletWatchView } from './view.js'

export function peopleRoutes(post: Post) {
  return {
    async getWalletRelation({ person, input, deps: { db } }) {
      const wallet = requireWallet(person)
      const { id } = await getAgent(db, input.id)
      return relationView(id, await findRelation(db, wallet, id))
    },
    async listWalletFollows({ person, input, deps: { db } }) {
      const { rows, meta } = await listWalletFollows(db, requireWallet(person), input)
      return { data: rows.map(walletFollowView), meta }
    },
    async followAsWallet({ person, input, deps }) {
      const wallet = requireWallet(person)
      const { id } = await getAgent(deps.db, input.id)
      return relationView(id, await followAsWallet(deps, wallet, id))
    },
    async unfollowAsWallet({ person, input, deps }) {
      const wallet = requireWallet(person)
      const { id } = await getAgent(deps.db, input.id)
      return relationView(id, await unfollowAsWallet(deps, wallet, id))
    },
    async listWatches({ person, input, deps: { db } }) {
      const { rows, meta } = await listWatches(db, requireWallet(person), input)
      return { data: rows.map(walletWatchView), meta }
    },
    async watchAgent({ person, input, deps }) {
      const wallet = requireWallet(person)
      const { id } = await getAgent(deps.db, input.id)
      return relationView(id, await watchAgent(deps, wallet, id, input.priceMovePercent ?? 10))
    },
    async unwatchAgent({ person, input, deps }) {
      const wallet = requireWallet(person)
      const { id } = await getAgent(deps.db, input.id)
      return relationView(id, await unwatchAgent(deps, wallet, id))
    },

    async listAlerts({ person, input, deps: { db } }) {
      const { rows, meta } = await listAlerts(db, person, requireWallet(person), input)
      return { data: rows.map(alertView), meta }
    },
    countUnreadAlerts: async ({ person, deps }) => ({
      count: await countUnreadAlerts(deps.db, person, requireWallet(person)),
    }),
    markAlertsRead: async ({ person, input, deps }) => ({
      updated: await markAlertsRead(deps.db, requireWallet(person), input.alertIds),
    }),

    createPushSubscription: async ({ person, input, deps }) => ({
      id: await createSubscription({ ...deps, post }, person, input),
    }),
    async deletePushSubscription({ person, input: { id }, deps }) {
      await deleteSubscription(deps.db, person, id)
      return { id, deleted: true }
    },
  } satisfies Partial<Handlers>
}
