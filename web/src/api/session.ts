import { type Client, RookeryError } from '@rookery/sdk'
import { useEffect, useSyncExternalStore } from 'react'
import { rookery } from './client.js'

/** Whether an owner is logged in here; unknown until the service was asked. */
export type SessionState = 'unknown' | 'in' | 'out'

interface Access {
  readonly token: string
  readonly expiresAtMs: number
}

// The access token lives in this tab's memory alone. The refresh token is in a cookie that no script can read.
let access: Access | undefined
let state: SessionState = 'unknown'
const listeners = new Set<() => void>()

// Says that there may be a session to ask for; who never logged in is not asked about.
const MARK = 'rookery-owner'
const LOCK = 'rookery-session'
const SPARE_MS = 30_000

function become(next: SessionState, nextAccess?: Access): void {
  if (next === 'in') localStorage.setItem(MARK, 'yes')
  else localStorage.removeItem(MARK)
  state = next
  access = nextAccess
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keep({ accessToken, expiresAt }: { accessToken: string; expiresAt: string }): Access {
  const kept = { token: accessToken, expiresAtMs: new Date(expiresAt).getTime() }
  become('in', kept)
  return kept
}

/** Whether an owner is logged in. Asks the service once. */
export function useSession(): SessionState {
  const current = useSyncExternalStore(subscribe, () => state)
  useEffect(() => {
    if (current !== 'unknown') return
    if (localStorage.getItem(MARK) === null) become('out')
    else renew().catch(() => {})
  }, [current])
  return current
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
  become('out')
}

// A refresh token works once, and all tabs have the same one: they take turns.
function renew(): Promise<Access> {
  const ask = async () => {
    try {
      return keep(await rookery.renewBrowserSession())
    } catch (error) {
      if (error instanceof RookeryError && error.status === 401) become('out')
      throw error
    }
  }
  return navigator.locks ? navigator.locks.request(LOCK, ask) : ask()
}

/** Calls as the owner, with a token that is renewed when it has ended. */
export async function asOwner<T>(call: (client: Client) => Promise<T>): Promise<T> {
  const isFresh = access !== undefined && access.expiresAtMs - Date.now() > SPARE_MS
  const { token } = isFresh && access ? access : await renew()
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
