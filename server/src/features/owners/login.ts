import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { type LoginAccount, LoginRefused } from '../../adapters/login/login-provider.js'
import { SocialRateLimited } from '../../adapters/social/social-network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { openSession, type Tokens } from './sessions.js'

type LoginDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'config' | 'login' | 'sessionTokens' | 'log'>

const LIFETIME_MS = 10 * 60_000

/** The page that a person returns to by default. */
const CALLBACK_PAGE = '/owner/callback'

/** A started login: the URL to open, and the state that will be returned. */
export interface StartedLogin {
  readonly url: string
  readonly state: string
}

/** Starts a login for a program or page that stores the tokens itself. The person returns to `returnUrl`. */
export function startLogin(deps: LoginDeps, { returnUrl }: { returnUrl?: string }): Promise<StartedLogin> {
  const redirectUri = returnUrl === undefined ? callbackPage(deps) : requireOwnPage(deps, returnUrl)
  return start(deps, { redirectUri })
}

/** Starts a login that only one browser can complete: the one that has `browser` in a cookie. */
export async function startBrowserLogin(
  deps: LoginDeps,
  { returnUrl }: { returnUrl?: string },
): Promise<{ url: string; browser: string }> {
  const browser = randomBytes(32).toString('base64url')
  const { url } = await start(deps, {
    redirectUri: callbackPage(deps),
    browser,
    ...(returnUrl !== undefined && { returnUrl: requireOwnPage(deps, returnUrl) }),
  })
  return { url, browser }
}

async function start(
  deps: LoginDeps,
  { redirectUri, browser, returnUrl }: { redirectUri: string; browser?: string; returnUrl?: string },
): Promise<StartedLogin> {
  const { db, clock, secrets } = deps
  const state = randomBytes(32).toString('base64url')
  const url = await getProvider(deps).authorizationUrl({
    state,
    codeVerifier: verifiersOf(deps, state)[0] ?? '',
    redirectUri,
  })
  await db.run(sql`
    insert into login_attempt (state_hash, browser_hash, redirect_uri, return_url, expires_at)
    values (${secrets.sign('login-state', state)}, ${browser ? secrets.hash('login-browser', browser) : null},
      ${redirectUri}, ${returnUrl ?? null}, ${new Date(clock.now().getTime() + LIFETIME_MS)})`)
  return { url, state }
}

/** The parameters with which a person returns from the social network. */
export interface LoginReturn {
  readonly state: string
  readonly code?: string
  readonly error?: string
}

/** A completed login. */
export interface Login {
  readonly owner: { readonly id: string; readonly account: LoginAccount }
  readonly tokens: Tokens
  readonly returnUrl: string | null
}

/** Completes a login. An attempt cannot be used again, whether it succeeds or fails. */
export async function completeLogin(
  deps: LoginDeps,
  { state, code, error }: LoginReturn,
  { browser, continued }: { browser?: string | undefined; continued?: string | undefined } = {},
): Promise<Login> {
  const attempt = await spendAttempt(deps, state, browser)
  if (error !== undefined) throw new Problem('LOGIN_DENIED')
  if (code === undefined) throw Problem.at('code', 'is required')
  const account = await readAccount(deps, code, attempt)
  const id = await saveOwner(deps, account)
  return {
    owner: { id, account },
    tokens: await openSession(deps, { ownerId: id }, { continued }),
    returnUrl: attempt.return_url,
  }
}

type Attempt = Row<'login_attempt', 'redirect_uri' | 'return_url'> & { readonly codeVerifier: string }

async function spendAttempt(deps: LoginDeps, state: string, browser: string | undefined): Promise<Attempt> {
  const { db, clock, secrets } = deps
  const states = secrets.signatures('login-state', state)
  const startedBy =
    browser === undefined ? sql`browser_hash is null` : sql`browser_hash = ${secrets.hash('login-browser', browser)}`
  const attempt = await db.find<Row<'login_attempt', 'state_hash' | 'redirect_uri' | 'return_url'>>(sql`
    delete from login_attempt
    where state_hash = any(${states}::bytea[]) and expires_at > ${clock.now()} and ${startedBy}
    returning state_hash, redirect_uri, return_url`)
  if (!attempt) throw new Problem('LOGIN_EXPIRED')
  const startedWith = states.findIndex((hash) => hash.equals(attempt.state_hash))
  return { ...attempt, codeVerifier: verifiersOf(deps, state)[startedWith] ?? '' }
}

async function readAccount(
  deps: LoginDeps,
  code: string,
  { codeVerifier, redirect_uri: redirectUri }: Attempt,
): Promise<LoginAccount> {
  try {
    return await getProvider(deps).account({ code, codeVerifier, redirectUri })
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof LoginRefused) throw new Problem('LOGIN_EXPIRED')
    if (error instanceof SocialRateLimited)
      throw new Problem('SOCIAL_RATE_LIMITED', { retryAfterSeconds: error.retryAfterSeconds })
    deps.log.warn({ message: (error as Error).message }, 'the social network did not complete a login')
    throw new Problem('SOCIAL_UNAVAILABLE')
  }
}

/** Inserts or updates the owner of this account, whose names may have changed. Refuses an account without a verified agent. */
async function saveOwner(deps: LoginDeps, account: LoginAccount): Promise<string> {
  const { id: xId, handle, name } = account
  const now = deps.clock.now()
  const owner = await deps.db.transaction(async (db) => {
    await pinAccount(db, deps, account)
    return db.find<Row<'owner', 'id'>>(sql`
      insert into owner (id, x_id, x_handle, x_name, created_at, last_login_at)
      select ${deps.ids.next()}::uuid, ${xId}, ${handle}, ${name}, ${now}::timestamptz, ${now}::timestamptz
      where exists (select from agent where x_id = ${xId})
      on conflict (x_id) do update set x_handle = excluded.x_handle, x_name = excluded.x_name,
        last_login_at = excluded.last_login_at
      returning id`)
  })
  if (!owner) throw new Problem('OWNER_NOT_FOUND')
  return owner.id
}

/**
 * Posts may tell only a handle, which can pass to another person. The first login with it says whose it is: from then on
 * the agent and its owner are known by the id of that account.
 */
async function pinAccount(db: Db, deps: LoginDeps, { id, postsAs, handle }: LoginAccount): Promise<void> {
  if (postsAs === undefined) return
  const agent = await db.find<Row<'agent', 'id'>>(sql`
    update agent set x_id = ${id}
    where x_id = ${postsAs} and not exists (select from agent where x_id = ${id}) returning id`)
  if (!agent) return
  await db.run(sql`
    update owner set x_id = ${id} where x_id = ${postsAs} and not exists (select from owner where x_id = ${id})`)
  const summary = `The login of @${handle} showed which account that is: only this one owns the agent now, whatever its handle`
  await recordAudit(db, deps, { agentId: agent.id, actor: 'owner', action: 'completeLogin', target: id, summary })
}

function getProvider({ login }: LoginDeps) {
  if (!login)
    throw new Problem('NOT_READY', { message: 'This service has no login for owners: its operator sets X_CLIENT_ID.' })
  return login
}

// Derived from the state, so that the PKCE secret is never stored. The first is of the newest secret.
function verifiersOf({ secrets }: LoginDeps, state: string): string[] {
  return secrets.signatures('login-verifier', state).map((verifier) => verifier.toString('base64url'))
}

function callbackPage({ config }: LoginDeps): string {
  return new URL(CALLBACK_PAGE, config.webUrl).href
}

/** Accepts only our own pages: another site could capture people and their codes. */
function requireOwnPage({ config }: LoginDeps, url: string): string {
  const page = URL.canParse(url, config.webUrl) ? new URL(url, config.webUrl) : undefined
  if (!page || !config.webOrigins.includes(page.origin) || page.username !== '' || page.password !== '')
    throw Problem.at('returnUrl', 'must be a page of this service')
  return page.href
}

/** Deletes login attempts that were never completed. */
export function deleteOldAttempts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return db.run(sql`delete from login_attempt where expires_at <= ${clock.now()}`)
}
