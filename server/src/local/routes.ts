import type { LocalPost } from '@rookery/api'
import { localPostUrl } from '../adapters/social/post-url.js'
import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import { createLocalPost } from './actions.js'
import { getLocalWallet, sendLocalTransaction } from './chain.js'
import { requestFaucet } from './faucet.js'
import { getLocalPost, type LocalPostRow, listLocalPosts } from './queries.js'

/** The stand-ins of the embedded default: the local social network, the faucet, the door to the embedded chain. */
export function localRoutes(deps: Deps) {
  const { db, config } = deps
  return {
    createLocalPost: async ({ input }) => localPostView(config.webUrl, await createLocalPost(deps, input)),
    async listLocalPosts({ input }) {
      const { rows, meta } = await listLocalPosts(db, input)
      return { data: rows.map((row) => localPostView(config.webUrl, row)), meta }
    },
    getLocalPost: async ({ input }) => localPostView(config.webUrl, await getLocalPost(db, input.id)),
    requestFaucet: ({ input }) => requestFaucet(deps, input),
    getLocalWallet: ({ input }) => getLocalWallet(deps, input),
    sendLocalTransaction: ({ input }) => sendLocalTransaction(deps, input),
  } satisfies Partial<Handlers>
}

function localPostView(webUrl: string, row: LocalPostRow): LocalPost {
  return {
    id: row.id,
    url: localPostUrl(webUrl, row.handle, row.id),
    handle: row.handle,
    name: row.name,
    text: row.text,
    createdAt: row.created_at.toISOString(),
  }
}
