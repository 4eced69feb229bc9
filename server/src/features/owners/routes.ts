import type { AgentRef, Session } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Cookies, Handlers } from '../../call.js'
import type { Deps } from '../../deps.js'
import { isModeratorWallet } from '../../foundation/callers/moderators.js'
import type { AgentRow } from '../agents/queries.js'
import { agentView } from '../agents/view.js'
import { completeLogin, startBrowserLogin, startLogin } from './login.js'
import { getOwnedAgent, getOwner, listOwnedAgents } from './queries.js'
import { rotateAgentKey } from './rotate-key.js'
import { endSession, REFRESH_MS, refreshSession, type Somebody, type Tokens } from './sessions.js'
import { logInWithWallet } from './wallet-login.js'

const LOGIN_SECONDS = 10 * 60
const SESSION_SECONDS = REFRESH_MS / 1000
// A page that is reloaded at once may never receive the new cookie, and sends the old one again.
const RENEWED_AGAIN_WITHIN_MS = 10_000

export const ownerRoutes = {
  startLogin: ({ input, deps }) => startLogin(deps, input),

  async completeLogin({ input, deps }) {
    const { owner, tokens } = await completeLogin(deps, input)
    const { id, account } = owner
    const agents = (await listOwnedAgents(deps.db, { xId: account.id })).map(agentRefView)
    return {
      success: true,
      xId: account.id,
      xUsername: account.handle,
      displayName: account.name,
      ...sessionView(tokens),
      user: { id, username: account.handle, agents },
    }
  },

  refreshSession: async ({ input, deps }) => sessionView(await refreshSession(deps, input.refreshToken)),
  async endSession({ input, deps }) {
    await endSession(deps, input.refreshToken)
    return { loggedOut: true }
  },

  logInWithWallet: async ({ input, deps }) => sessionView(await logInWithWallet(deps, input)),
  async openBrowserWalletSession({ input, cookies, deps }) {
    return openInBrowser(deps, await logInWithWallet(deps, input, cookies.get('session')), cookies)
  },

  async startBrowserLogin({ input, cookies, deps }) {
    const { url, browser } = await startBrowserLogin(deps, input)
    cookies.set('login', browser, LOGIN_SECONDS)
    return { url }
  },

  async openBrowserSession({ input, cookies, deps }) {
    // Without the cookie no attempt matches, so a login that a program started cannot be completed here.
    const { tokens, returnUrl } = await completeLogin(deps, input, {
      browser: cookies.get('login') ?? '',
      continued: cookies.get('session'),
    })
    cookies.clear('login')
    return { ...(await openInBrowser(deps, tokens, cookies)), returnUrl }
  },

  async renewBrowserSession({ cookies, deps }) {
    try {
      const tokens = await refreshSession(deps, cookies.get('session') ?? '', {
        againWithinMs: RENEWED_AGAIN_WITHIN_MS,
      })
      return openInBrowser(deps, tokens, cookies)
    } catch (error) {
      // After any other failure the cookie may still be good.
      if (error instanceof Problem && error.code === 'REFRESH_TOKEN_INVALID') cookies.clear('session')
      throw error
    }
  },

  async closeBrowserSession({ cookies, deps }) {
    await endSession(deps, cookies.get('session') ?? '')
    cookies.clear('session')
    return { loggedOut: true }
  },

  async getOwner({ owner, deps }) {
    const { x_id: xId, x_handle: xHandle, x_name: xName } = await getOwner(deps.db, owner)
    const agents = await listOwnedAgents(deps.db, owner)
    return { owner: { xId, xHandle, xName }, agents: agents.map((row) => agentView(row)) }
  },

  async rotateAgentKey({ owner, input, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, input.id)
    return { apiKey: await rotateAgentKey(deps, agent, { ...input, requestId }) }
  },
} satisfies Partial<Handlers>

async function openInBrowser(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  { accessToken, refreshToken, expiresAt, ...somebody }: Tokens,
  cookies: Cookies,
) {
  cookies.set('session', refreshToken, SESSION_SECONDS)
  const isModerator = await isModeratorWallet({ config, db }, somebody.wallet)
  return { accessToken, expiresAt: expiresAt.toISOString(), ...somebodyView(somebody), isModerator }
}

function sessionView({ accessToken, refreshToken, expiresAt, ...somebody }: Tokens): Session {
  return {
    token: accessToken,
    accessToken,
    refreshToken,
    expiresAt: expiresAt.toISOString(),
    ...somebodyView(somebody),
  }
}

function somebodyView({ ownerId, wallet }: Somebody) {
  return { isOwner: ownerId !== null, wallet }
}

function agentRefView({ id, username, display_name, avatar_url }: AgentRow): AgentRef {
  return { id, username, displayName: display_name, avatarUrl: avatar_url }
}
