import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'ownerTokens'>

/** How long a refresh token can be used. */
export const REFRESH_MS = 30 * 24 * 60 * 60_000

/** The tokens of an owner who is logged in. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: Date
}

/** Opens a session: a login, and the family of refresh tokens that descends from it. */
export async function openSession(deps: SessionDeps, ownerId: string): Promise<Tokens> {
  const sessionId = deps.ids.next()
  const refreshToken = await deps.db.transaction(async (db) => {
    await db.run(sql`
      insert into owner_session (id, owner_id, created_at) values (${sessionId}, ${ownerId}, ${deps.clock.now()})`)
    return issueRefreshToken(db, deps, sessionId)
  })
  return signTokens(deps, { ownerId, sessionId, refreshToken })
}

/**
 * Exchanges a refresh token for its successor. A token that is used twice has been stolen, and it is unclear which use was
 * the thief's, so the whole family is revoked.
 */
export async function refreshSession(deps: SessionDeps, given: string): Promise<Tokens> {
  const hash = hashOf(deps, given)
  const now = deps.clock.now()
  const next = await deps.db.transaction(async (db) => {
    const row = await db.find<Row<'refresh_token', 'session_id'> & Row<'owner_session', 'owner_id'>>(sql`
      update refresh_token set used_at = ${now} from owner_session
      where hash = ${hash} and owner_session.id = session_id
        and used_at is null and expires_at > ${now} and ended_at is null
      returning session_id, owner_id`)
    if (!row) return undefined
    const refreshToken = await issueRefreshToken(db, deps, row.session_id)
    return { ownerId: row.owner_id, sessionId: row.session_id, refreshToken }
  })
  if (next) return signTokens(deps, next)
  await deps.db.run(
    sessionEnd(deps, sql`(select session_id from refresh_token where hash = ${hash} and used_at is not null)`),
  )
  throw new Problem('REFRESH_TOKEN_INVALID')
}

/** Ends the session of a refresh token, used or not, together with its access tokens. */
export async function endSession(deps: Pick<Deps, 'db' | 'clock' | 'secrets'>, given: string): Promise<void> {
  const hash = hashOf(deps, given)
  await deps.db.run(sessionEnd(deps, sql`(select session_id from refresh_token where hash = ${hash})`))
}

/** Deletes sessions whose tokens have all expired. */
export async function deleteOldSessions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.run(sql`delete from refresh_token where expires_at <= ${clock.now()}`)
  await db.run(sql`
    delete from owner_session where not exists (select from refresh_token where session_id = owner_session.id)`)
}

function sessionEnd({ clock }: Pick<Deps, 'clock'>, sessionId: ReturnType<typeof sql>) {
  return sql`update owner_session set ended_at = ${clock.now()} where ended_at is null and id = ${sessionId}`
}

async function issueRefreshToken(db: Db, deps: Pick<Deps, 'clock' | 'secrets'>, sessionId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.run(sql`
    insert into refresh_token (hash, session_id, expires_at)
    values (${hashOf(deps, token)}, ${sessionId}, ${new Date(deps.clock.now().getTime() + REFRESH_MS)})`)
  return token
}

function hashOf({ secrets }: Pick<Deps, 'secrets'>, token: string): Buffer {
  return secrets.hash('refresh-token', token)
}

async function signTokens(
  { ownerTokens }: Pick<Deps, 'ownerTokens'>,
  { ownerId, sessionId, refreshToken }: { ownerId: string; sessionId: string; refreshToken: string },
): Promise<Tokens> {
  const { token: accessToken, expiresAt } = await ownerTokens.sign({ ownerId, sessionId })
  return { accessToken, refreshToken, expiresAt }
}
