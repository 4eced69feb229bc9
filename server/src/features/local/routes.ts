import type { LocalPost } from '@rookery/api'
import { localPostUrl } from '../../adapters/social/post-url.js'
import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { createLocalPost } from './actions.js'
import { getLocalWallet, sendLocalTransaction } from './chain.js'
import { requestFaucet } from './faucet.js'
import { authorizeLocal, createLocalToken, getLocalAccount, requireOwnRedirect } from './login.js'
import { choicePage, leadBackPage } from './login-page.js'
import { getLocalPost, type LocalPostRow, listLocalAccounts, listLocalPosts } from './queries.js'

/** The stand-ins of the embedded default: the local social network with its login, the faucet, the door to its chain. */
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

    async openLocalLogin({ input: { handle, ...request } }) {
      requireOwnRedirect(deps, request.redirect_uri)
      if (handle === undefined) return choicePage(await listLocalAccounts(db), request)
      return leadBackPage(handle.replace(/^@/, ''), await authorizeLocal(deps, { ...request, handle }))
    },
    createLocalToken: ({ input }) => createLocalToken(deps, input),
    getLocalAccount: ({ bearer }) => getLocalAccount(deps, bearer),
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
