import { type Client, RookeryError } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { createStore, useStore } from '../store.js'
import { rookery } from './client.js'

/** Whether an owner is logged in; unknown until the service has answered, failed if it did not. */
export type Session =
  | { readonly state: 'unknown' | 'in' | 'out' }
  | { readonly state: 'failed'; readonly error: Error; readonly retry: () => void }

interface Access {
  readonly token: string
  readonly expiresAtMs: number
}

// The access token is only in this tab's memory. The refresh token is in a cookie that no script can read.
const session = createStore<{ state: 'unknown' | 'out' } | { state: 'in'; access: Access }>({ state: 'unknown' })

// Marks that there may be a session, so that visitors who never logged in cause no request.
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

/** Whether an owner is logged in. Asks the service once, and again on request after a failure. */
export function useSession(): Session {
  const { state } = useStore(session)
  const { error, refetch } = useQuery({
    queryKey: ['session'],
    enabled: state === 'unknown',
    // Sending a refresh token twice ends the session, so only the person or a restored network retries.
    retry: false,
    gcTime: 0,
    queryFn: async () => {
      if (localStorage.getItem(MARK) === null) forget()
      else await renew()
      // The token stays out of the query cache.
      return null
    },
  })
  if (state === 'unknown' && error) return { state: 'failed', error, retry: () => void refetch() }
  return { state }
}

/** Redirects to the social network. The login returns to `returnUrl` in the same browser. */
export async function startLogin(returnUrl: string): Promise<void> {
  const { url } = await rookery.startBrowserLogin({ returnUrl })
  window.location.assign(url)
}

/** Completes a login and returns the address where it started. */
export async function completeLogin(back: { state: string; code?: string; error?: string }): Promise<string | null> {
  const { returnUrl, ...session } = await rookery.openBrowserSession(back)
  keep(session)
  return returnUrl
}

export async function logOut(): Promise<void> {
  await rookery.closeBrowserSession()
  forget()
}

// A refresh token works once and all tabs share it, so they take turns.
function renew(): Promise<Access> {
  const refresh = async () => {
    try {
      return keep(await rookery.renewBrowserSession())
    } catch (error) {
      if (error instanceof RookeryError && error.status === 401) forget()
      throw error
    }
  }
  return navigator.locks ? navigator.locks.request(LOCK, refresh) : refresh()
}

/** Calls as the owner, and renews an expired token first. */
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

/** Calls as the owner if one is logged in: trades for the wallet of an agent under rules are only for its owner. */
export async function asOwnerIfAny<T>(call: (client: Client) => Promise<T>): Promise<T> {
  if (localStorage.getItem(MARK) === null) return call(rookery)
  try {
    return await asOwner(call)
  } catch (error) {
    if (!(error instanceof RookeryError) || error.code !== 'REFRESH_TOKEN_INVALID') throw error
    return call(rookery)
  }
}
