import { type Client, RookeryError } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { createStore, useStore } from '../store.js'
import { rookery } from './client.js'

/** Whether an owner is logged in here; unknown until the service was asked, failed when it could not be. */
export type Session =
  | { readonly state: 'unknown' | 'in' | 'out' }
  | { readonly state: 'failed'; readonly error: Error; readonly retry: () => void }

interface Access {
  readonly token: string
  readonly expiresAtMs: number
}

// The access token lives in this tab's memory alone. The refresh token is in a cookie that no script can read.
const session = createStore<{ state: 'unknown' | 'out' } | { state: 'in'; access: Access }>({ state: 'unknown' })

// Says that there may be a session to ask for; who never logged in is not asked about.
const MARK = 'rookery-owner'
const LOCK = 'rookery-session'
const SPARE_MS = 30_000

function keep({ accessToken, expiresAt }: { accessToken: string; expiresAt: string }): Access {
  const access = { token: accessToken, expiresAtMs: new Date(expiresAt).getTime() }
  localStorage.setItem(MARK, 'yes')
  session.set({ state: 'in', access })
  return access
}

function forget(): void {
  localStorage.removeItem(MARK)
  session.set({ state: 'out' })
}

/** Whether an owner is logged in. Asks the service once, and again when that failed and it is wanted. */
export function useSession(): Session {
  const { state } = useStore(session)
  const { error, refetch } = useQuery({
    queryKey: ['session'],
    enabled: state === 'unknown',
    // A refresh token that is sent twice ends the session, so only a person tries again, or the network coming back.
    retry: false,
    gcTime: 0,
    queryFn: async () => {
      if (localStorage.getItem(MARK) === null) forget()
      else await renew()
      // The token stays out of what queries remember.
      return null
    },
  })
  if (state === 'unknown' && error) return { state: 'failed', error, retry: () => void refetch() }
  return { state }
}

/** Leads to the social network. The login ends in this same browser, at `returnUrl`. */
export async function startLogin(returnUrl: string): Promise<void> {
  const { url } = await rookery.startBrowserLogin({ returnUrl })
  window.location.assign(url)
}

/** Completes a login; gives where it was begun. */
export async function completeLogin(back: { state: string; code?: string; error?: string }): Promise<string | null> {
  const { returnUrl, ...session } = await rookery.openBrowserSession(back)
  keep(session)
  return returnUrl
}

export async function logOut(): Promise<void> {
  await rookery.closeBrowserSession()
  forget()
}

// A refresh token works once, and all tabs have the same one: they take turns.
function renew(): Promise<Access> {
  const ask = async () => {
    try {
      return keep(await rookery.renewBrowserSession())
    } catch (error) {
      if (error instanceof RookeryError && error.status === 401) forget()
      throw error
    }
  }
  return navigator.locks ? navigator.locks.request(LOCK, ask) : ask()
}

/** Calls as the owner, with a token that is renewed when it has ended. */
export async function asOwner<T>(call: (client: Client) => Promise<T>): Promise<T> {
  const current = session.get()
  const isFresh = current.state === 'in' && current.access.expiresAtMs - Date.now() > SPARE_MS
  const { token } = isFresh ? current.access : await renew()
  try {
    return await call(rookery.as({ token }))
  } catch (error) {
    if (!(error instanceof RookeryError) || error.code !== 'INVALID_TOKEN') throw error
    return call(rookery.as({ token: (await renew()).token }))
  }
}

/** Calls as the owner where one is logged in, and as anyone otherwise: the wallet of an agent under rules is its owner’s. */
export async function asOwnerIfAny<T>(call: (client: Client) => Promise<T>): Promise<T> {
  if (localStorage.getItem(MARK) === null) return call(rookery)
  try {
    return await asOwner(call)
  } catch (error) {
    if (!(error instanceof RookeryError) || error.code !== 'REFRESH_TOKEN_INVALID') throw error
    return call(rookery)
  }
}
