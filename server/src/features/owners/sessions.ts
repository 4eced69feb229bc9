import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { isBannedYet } from '../../foundation/callers/wallet-bans.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'sessionTokens'>

/** How long a refresh token can be used. */
export const REFRESH_MS = 30 * 24 * 60 * 60_000

/** Whose session it is: an owner's, a wallet's, or of one person who is both. */
export interface Somebody {
  readonly ownerId: string | null
  readonly wallet: `0x${string}` | null
}

/** The tokens of a person who is logged in. */
export interface Tokens extends Somebody {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: Date
}

/**
 * Opens a session: a login, and the family of refresh tokens that descends from it. In a browser that has a session
 * already, the new one continues it, so that signing in with a wallet does not log its owner out. `prove` spends what proves
 * who it is, in the same transaction.
 */
export async function openSession(
  deps: SessionDeps,
  given: Partial<Somebody>,
  { continued, prove }: { continued?: string | undefined; prove?: (db: Db) => Promise<void> } = {},
): Promise<Tokens> {
  const sessionId = deps.ids.next()
  const { replaced, ...session } = await deps.db.transaction(async (db) => {
    await prove?.(db)
    const before = continued === undefined ? undefined : await replaceSession(db, deps, continued)
    const ownerId = given.ownerId ?? before?.owner_id ?? null
    const wallet = given.wallet ?? (await keptWallet(db, deps, before))
    await db.run(sql`
      insert into owner_session (id, owner_id, wallet_address, family_id, created_at)
      values (${sessionId}, ${ownerId}, ${wallet}, ${before?.family_id ?? null}, ${deps.clock.now()})`)
    const replaced = before ? [before.id] : []
    return { sessionId, ownerId, wallet, replaced, refreshToken: await issueRefreshToken(db, deps, sessionId) }
  })
  await deps.sessionTokens.announceEnd(replaced)
  return signTokens(deps, session)
}

/** The wallet of a session that is continued, unless it has been banned meanwhile: that ended only the sessions it knew. */
async function keptWallet(
  db: Db,
  deps: SessionDeps,
  before: SomebodyRow | undefined,
): Promise<SomebodyRow['wallet_address']> {
  const wallet = before?.wallet_address ?? null
  return wallet === null || (await isBannedYet(db, deps, wallet)) ? null : wallet
}

type SomebodyRow = Row<'owner_session', 'owner_id' | 'wallet_address'>

type ContinuedRow = SomebodyRow & Row<'owner_session', 'id'> & { readonly family_id: string }

/** Spends a refresh token that is still valid, ends its session, and returns whose it was. */
function replaceSession(db: Db, deps: SessionDeps, refreshToken: string): Promise<ContinuedRow | undefined> {
  const now = deps.clock.now()
  return db.find<ContinuedRow>(sql`
    with spent as (
      update refresh_token set used_at = ${now} from owner_session
      where hash = ${hashOf(deps, refreshToken)} and owner_session.id = session_id
        and used_at is null and expires_at > ${now} and ended_at is null
      returning session_id)
    update owner_session set ended_at = ${now} from spent where owner_session.id = session_id
    returning owner_session.id, owner_id, wallet_address, coalesce(family_id, id) as family_id`)
}

/**
 * Exchanges a refresh token for its successor. A token that is used twice has been stolen, and it is unclear which use was
 * the thief's, so the whole family is revoked. Within `againWithinMs` a second use counts as the first one repeated.
 */
export async function refreshSession(deps: SessionDeps, given: string, { againWithinMs = 0 } = {}): Promise<Tokens> {
  const hash = hashOf(deps, given)
  const now = deps.clock.now()
  const spentBefore = new Date(now.getTime() - againWithinMs)
  const next = await deps.db.transaction(async (db) => {
    const row = await db.find<Row<'refresh_token', 'session_id'> & SomebodyRow>(sql`
      update refresh_token set used_at = coalesce(used_at, ${now}) from owner_session
      where hash = ${hash} and owner_session.id = session_id
        and (used_at is null or (${againWithinMs > 0} and used_at > ${spentBefore})) and expires_at > ${now} and ended_at is null
      returning session_id, owner_id, wallet_address`)
    if (!row) return undefined
    const { session_id: sessionId, owner_id: ownerId, wallet_address: wallet } = row
    return { sessionId, ownerId, wallet, refreshToken: await issueRefreshToken(db, deps, sessionId) }
  })
  if (next) return signTokens(deps, next)
  await endFamily(deps, sql`(select session_id from refresh_token where hash = ${hash} and used_at is not null)`)
  throw new Problem('REFRESH_TOKEN_INVALID')
}

/** Ends the session of a refresh token, used or not, together with its access tokens. */
export async function endSession(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'sessionTokens'>,
  given: string,
): Promise<void> {
  const hash = hashOf(deps, given)
  await endFamily(deps, sql`(select session_id from refresh_token where hash = ${hash})`)
}

/** Deletes sessions whose tokens have all expired. */
export async function deleteOldSessions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.run(sql`delete from refresh_token where expires_at <= ${clock.now()}`)
  await db.run(sql`
    delete from owner_session where not exists (select from refresh_token where session_id = owner_session.id)`)
}

/** Ends all sessions of the family that this one belongs to, and their live connections. */
async function endFamily(
  { db, clock, sessionTokens }: Pick<Deps, 'db' | 'clock' | 'sessionTokens'>,
  sessionId: ReturnType<typeof sql>,
): Promise<void> {
  const ended = await db.many<Row<'owner_session', 'id'>>(sql`
    update owner_session set ended_at = ${clock.now()} where ended_at is null and coalesce(family_id, id) = (
      select coalesce(family_id, id) from owner_session named where named.id = ${sessionId})
    returning id`)
  await sessionTokens.announceEnd(ended.map(({ id }) => id))
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
  { sessionTokens }: Pick<Deps, 'sessionTokens'>,
  { sessionId, ...session }: Somebody & { readonly sessionId: string; readonly refreshToken: string },
): Promise<Tokens> {
  const { token: accessToken, expiresAt } = await sessionTokens.sign({ sessionId, ownerId: session.ownerId })
  return { ...session, accessToken, expiresAt }
}
