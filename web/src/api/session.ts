import { type BrowserSession, type Client, RookeryError } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { createStore, useStore } from '../store.js'
import { rookery } from './client.js'

/** Who has signed in: an owner, a wallet, or one person who is both. */
export interface SignedIn {
  readonly isOwner: boolean
  readonly wallet: `0x${string}` | null
  /** Whether that wallet moderates. */
  readonly isModerator: boolean
}

/** Whether somebody has signed in; unknown until the service has answered, failed if it did not. */
export type Session =
  | { readonly state: 'unknown' | 'out' }
  | ({ readonly state: 'in' } & SignedIn)
  | { readonly state: 'failed'; readonly error: Error; readonly retry: () => void }

interface Access {
  readonly token: string
  readonly expiresAtMs: number
}

// The access token is only in this tab's memory. The refresh token is in a cookie that no script can read.
const session = createStore<{ state: 'unknown' | 'out' } | ({ state: 'in'; access: Access } & SignedIn)>({
  state: 'unknown',
})

// Marks that there may be a session, so that visitors who never signed in cause no request.
const MARK = 'rookery-owner'
const LOCK = 'rookery-session'
const SPARE_MS = 30_000
const RESUME_MS = 2000

// Without storage, the session ends with the page.
let mark: string | null = null
function mayBeIn(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return mark !== null
  }
}

function setMark(value: string | null): void {
  mark = value
  try {
    if (value === null) localStorage.removeItem(MARK)
    else localStorage.setItem(MARK, value)
  } catch {
    // Then only this page knows.
  }
}

function keep({ accessToken, expiresAt, isOwner, wallet, isModerator }: BrowserSession): Access {
  const access = { token: accessToken, expiresAtMs: new Date(expiresAt).getTime() }
  setMark('yes')
  session.set({ state: 'in', access, isOwner, wallet, isModerator })
  return access
}

function forget(): void {
  setMark(null)
  session.set({ state: 'out' })
}

// Signing out in one tab signs out all of them.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === MARK && newValue === null && session.get().state === 'in') session.set({ state: 'out' })
})

/** Calls the watcher whenever somebody signs in or out. */
export const watchSession = session.watch

/** Who has signed in; undefined for anyone else, and until the service has answered. */
export function currentSession(): SignedIn | undefined {
  const current = session.get()
  return current.state === 'in' ? current : undefined
}

export function useSignedIn(): SignedIn | undefined {
  const current = useStore(session)
  return current.state === 'in' ? current : undefined
}

/** Resumes the session of an earlier visit, if there may be one. Waits only briefly, and never fails. */
export async function resumeSession(): Promise<void> {
  if (!mayBeIn()) return forget()
  const late = new Promise<void>((resolve) => setTimeout(resolve, RESUME_MS))
  await Promise.race([renew().then(undefined, () => {}), late])
}

/** Whether somebody has signed in. Asks the service once, and again on request after a failure. */
export function useSession(): Session {
  const current = useStore(session)
  const { error, refetch } = useQuery({
    queryKey: ['session'],
    enabled: current.state === 'unknown',
    // Sending a refresh token twice ends the session, so only the person or a restored network retries.
    retry: false,
    gcTime: 0,
    queryFn: async () => {
      if (mayBeIn()) await renew()
      else forget()
      // The token stays out of the query cache.
      return null
    },
  })
  if (current.state === 'unknown' && error) return { state: 'failed', error, retry: () => void refetch() }
  return current
}

/** Redirects to the social network. The login returns to `returnUrl` in the same browser. */
export async function startLogin(returnUrl: string): Promise<void> {
  const { url } = await rookery.startBrowserLogin({ returnUrl })
  window.location.assign(url)
}

/** Completes a login and returns the address where it started. */
export function completeLogin(back: { state: string; code?: string; error?: string }): Promise<string | null> {
  return takeTurns(async () => {
    const { returnUrl, ...session } = await rookery.openBrowserSession(back)
    keep(session)
    return returnUrl
  })
}

/** Signs in with a challenge that a wallet has signed. An owner who has logged in stays logged in. */
export function signIn(signed: { message: string; signature: `0x${string}` }): Promise<void> {
  return takeTurns(async () => {
    keep(await rookery.openBrowserWalletSession(signed))
  })
}

export async function signOut(): Promise<void> {
  await stopNotifying().catch(() => {})
  await takeTurns(() => rookery.closeBrowserSession())
  forget()
}

// Otherwise this browser would go on being notified for who has left. The service learns it with the next message.
async function stopNotifying(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

// A refresh token works once and all tabs share it, so whatever uses it takes turns.
function takeTurns<T>(call: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(LOCK, call) : call()
}

let renewing: Promise<Access> | undefined

/** Renews the access token, once for all who wait for it. */
function renew(): Promise<Access> {
  const refresh = async () => {
    try {
      return keep(await rookery.renewBrowserSession())
    } catch (error) {
      if (isEnded(error)) forget()
      throw error
    }
  }
  renewing ??= takeTurns(refresh).finally(() => {
    renewing = undefined
  })
  return renewing
}

function isEnded(error: unknown): boolean {
  return error instanceof RookeryError && error.code === 'REFRESH_TOKEN_INVALID'
}

/** The token of the session, renewed if it expires soon or is `refused`; undefined without a session. */
export async function currentToken(refused?: string): Promise<string | undefined> {
  const current = session.get()
  if (current.state !== 'in') return undefined
  const { token, expiresAtMs } = current.access
  if (token !== refused && expiresAtMs - Date.now() > SPARE_MS) return token
  try {
    return (await renew()).token
  } catch (error) {
    if (isEnded(error)) return undefined
    throw error
  }
}

/** Calls as who has signed in, an owner or a wallet, and renews an expired token first. */
export async function asOwner<T>(call: (client: Client) => Promise<T>): Promise<T> {
  const token = (await currentToken()) ?? (await renew()).token
  try {
    return await call(rookery.as({ token }))
  } catch (error) {
    if (!(error instanceof RookeryError) || error.code !== 'INVALID_TOKEN') throw error
    const renewed = (await currentToken(token)) ?? (await renew()).token
    return call(rookery.as({ token: renewed }))
  }
}

/** Calls as the owner if one is logged in: trades for the wallet of an agent under rules are only for its owner. */
export async function asOwnerIfAny<T>(call: (client: Client) => Promise<T>): Promise<T> {
  if (!mayBeIn()) return call(rookery)
  try {
    return await asOwner(call)
  } catch (error) {
    if (!isEnded(error)) throw error
    return call(rookery)
  }
}
