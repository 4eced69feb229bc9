import type { LocalPost, ShareTransaction } from '@rookery/api'
import { localPostUrl } from '../../adapters/social/post-url.js'
import type { Handlers } from '../../call.js'
import { callerName } from '../../foundation/callers/caller.js'
import type { Shares } from '../shares/open.js'
import { createLocalPost } from './actions.js'
import { getLocalWallet, sendLocalTransaction } from './chain.js'
import { requestFaucet } from './faucet.js'
import { authorizeLocal, createLocalToken, getLocalAccount, requireOwnRedirect } from './login.js'
import { accountChoicePage, redirectPage } from './login-page.js'
import { getLocalPost, type LocalPostRow, listLocalAccounts, listLocalPosts } from './queries.js'

/** Local stand-ins for external services: a social network with its login, a faucet, access to the embedded chain. */
export const localRoutes = (shares: Shares) =>
  ({
    createLocalPost: async ({ input, deps }) => localPostView(deps.config.webUrl, await createLocalPost(deps, input)),
    async listLocalPosts({ input, deps }) {
      const { rows, meta } = await listLocalPosts(deps.db, input)
      return { data: rows.map((row) => localPostView(deps.config.webUrl, row)), meta }
    },
    getLocalPost: async ({ input, deps }) => localPostView(deps.config.webUrl, await getLocalPost(deps.db, input.id)),
    requestFaucet: ({ input, deps }) => requestFaucet(deps, input),
    getLocalWallet: ({ input, deps }) => getLocalWallet(deps, input),
    async sendLocalTransaction({ input: { transaction, wait = 0 }, address, deps }) {
      const sent = await sendLocalTransaction(deps, { transaction })
      const caller = callerName({ kind: 'anyone' }, address)
      const read = shares.readTransaction(deps, caller, sent.transactionHash, wait)
      // The transaction has been sent, so a failure here must not fail the call.
      const { indexed, failure } = await read.catch((error: Error): Partial<ShareTransaction> => {
        deps.log.warn({ message: error.message }, 'could not look for a transaction that was sent')
        return {}
      })
      return { ...sent, indexed: indexed ?? false, ...(failure && { failure }) }
    },

    async openLocalLogin({ input: { handle, ...request }, deps }) {
      requireOwnRedirect(deps, request.redirect_uri)
      if (handle === undefined) return accountChoicePage(await listLocalAccounts(deps.db), request)
      return redirectPage(handle.replace(/^@/, ''), await authorizeLocal(deps, { ...request, handle }))
    },
    createLocalToken: ({ input, deps }) => createLocalToken(deps, input),
    getLocalAccount: ({ bearer, deps }) => getLocalAccount(deps, bearer),
  }) satisfies Partial<Handlers>

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
