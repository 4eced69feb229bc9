import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import { makeAccount } from './actions.js'

const CODE_LIFETIME_MS = 60_000
const TOKEN_LIFETIME_MS = 2 * 60 * 60_000

type LoginDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>

/** A client's authorization request, as in RFC 6749 and RFC 7636. */
export interface AuthorizationRequest {
  readonly client_id: string
  readonly redirect_uri: string
  readonly state: string
  readonly code_challenge: string
}

/** Refuses redirects to anything but this service's own pages. */
export function requireOwnRedirect({ config }: Pick<Deps, 'config'>, uri: string): void {
  if (!URL.canParse(uri) || !config.webOrigins.includes(new URL(uri).origin))
    throw Problem.at('redirect_uri', 'must be a page of this service')
}

/** Logs an account in, and creates it when it is new. Returns the URL to redirect the person to. */
export async function authorizeLocal(
  { db, clock, secrets }: LoginDeps,
  { handle, ...request }: AuthorizationRequest & { handle: string },
): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const now = clock.now()
  await db.transaction(async (db) => {
    const account = await makeAccount(db, { handle, at: now })
    await db.run(sql`
      insert into local_x_login (code_hash, handle, client_id, redirect_uri, code_challenge, expires_at)
      values (${secrets.hash('local-code', code)}, ${account}, ${request.client_id}, ${request.redirect_uri},
        ${request.code_challenge}, ${new Date(now.getTime() + CODE_LIFETIME_MS)})`)
  })
  const next = new URL(request.redirect_uri)
  next.searchParams.set('code', code)
  next.searchParams.set('state', request.state)
  return next.href
}

/** A client's token request. */
export interface TokenRequest {
  readonly client_id?: string
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string
}

/** Exchanges a code for a token. A code works once. */
export async function createLocalToken(
  { db, clock, secrets }: LoginDeps,
  { client_id, code, redirect_uri, code_verifier }: TokenRequest,
) {
  const now = clock.now()
  const login = await db.find<Row<'local_x_login', 'handle' | 'client_id' | 'redirect_uri' | 'code_challenge'>>(sql`
    delete from local_x_login where code_hash = ${secrets.hash('local-code', code)} and expires_at > ${now}
    returning handle, client_id, redirect_uri, code_challenge`)
  const challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const matches =
    login?.redirect_uri === redirect_uri && login.code_challenge === challenge && login.client_id === client_id
  if (!login || !matches) throw new Problem('LOGIN_EXPIRED')
  const token = randomBytes(32).toString('base64url')
  await db.run(sql`
    insert into local_x_token (token_hash, handle, expires_at)
    values (${secrets.hash('local-token', token)}, ${login.handle}, ${new Date(now.getTime() + TOKEN_LIFETIME_MS)})`)
  return {
    token_type: 'bearer' as const,
    access_token: token,
    expires_in: TOKEN_LIFETIME_MS / 1000,
    scope: 'users.read',
  }
}

/** Finds the account of a token. */
export async function getLocalAccount({ db, clock, secrets }: LoginDeps, token: string | undefined) {
  const account =
    token === undefined
      ? undefined
      : await db.find<Row<'local_x_account', 'handle' | 'name'>>(sql`
          select handle, name from local_x_token join local_x_account using (handle)
          where token_hash = ${secrets.hash('local-token', token)} and expires_at > ${clock.now()}`)
  if (!account) throw new Problem('INVALID_TOKEN')
  return { data: { id: account.handle, username: account.handle, name: account.name } }
}

/** Deletes expired codes and tokens. */
export async function deleteOldLocalLogins({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.run(sql`delete from local_x_login where expires_at <= ${clock.now()}`)
  await db.run(sql`delete from local_x_token where expires_at <= ${clock.now()}`)
}
