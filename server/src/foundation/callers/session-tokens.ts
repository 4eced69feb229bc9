import { jwtVerify, SignJWT } from 'jose'
import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { Nullable, Row } from '../db/row.js'
import type { Person } from '../db/visibility.js'
import type { Peers } from '../peers/peers.js'
import type { Secrets } from '../secrets.js'
import { awaitOlderCalls } from './admitted.js'

/** The person behind agents: everything that a request needs to know about its caller. */
export interface OwnerIdentity {
  readonly id: string
  /** The X account that verified their agents. */
  readonly xId: string
}

/** A person who has logged in as an owner, signed in with a wallet, or both. */
export interface SessionIdentity extends Person {
  readonly owner: OwnerIdentity | undefined
}

/** Signs short-lived tokens of sessions, and finds the session behind one. */
export interface SessionTokens {
  sign(claims: { sessionId: string; ownerId: string | null }): Promise<{ token: string; expiresAt: Date }>
  /** Also undefined when the session has ended. */
  identify(token: string): Promise<SessionIdentity | undefined>
  /** Finds a session that has not ended, for a connection that outlives the token it was opened with. */
  find(sessionId: string): Promise<SessionIdentity | undefined>
  /** Call after the end of sessions commits; resolves when every instance knows it, and none of their calls can commit any more. */
  announceEnd(sessionIds: readonly string[]): Promise<void>
  /** Calls `listener` when sessions have ended, on whatever instance. */
  onEnded(listener: (sessionIds: ReadonlySet<string>) => void): void
}

const TOPIC = 'session.ended'

const LIFETIME_MS = 15 * 60_000
const ISSUER = 'rookery'
const AUDIENCE = 'rookery-owner'

export function createSessionTokens({
  db,
  secrets,
  clock,
  peers,
}: {
  db: Db
  secrets: Secrets
  clock: Clock
  peers: Peers
}): SessionTokens {
  const keys = secrets.keys('owner-token')

  async function find(sessionId: string): Promise<SessionIdentity | undefined> {
    const row = await db.find<Row<'owner_session', 'wallet_address'> & Nullable<Row<'owner', 'id' | 'x_id'>>>(sql`
      select owner.id, x_id, wallet_address from owner_session left join owner on owner.id = owner_id
      where owner_session.id = ${sessionId} and ended_at is null
        and exists (select from refresh_token where session_id = owner_session.id and expires_at > ${clock.now()})`)
    if (!row) return undefined
    const { id, x_id: xId, wallet_address: wallet } = row
    return { sessionId, xId, wallet, owner: id === null || xId === null ? undefined : { id, xId } }
  }

  return {
    find,
    async announceEnd(sessionIds) {
      if (sessionIds.length === 0) return
      const rows = sql`from owner_session where id = any(${sessionIds}::uuid[]) order by id`
      await Promise.all([peers.broadcast(TOPIC, sessionIds.join(' ')), awaitOlderCalls(db, rows)])
    },
    onEnded: (listener) => peers.on(TOPIC, (body) => listener(new Set(body.split(' ')))),
    async sign({ sessionId, ownerId }) {
      const issuedAt = clock.now()
      const expiresAt = new Date(issuedAt.getTime() + LIFETIME_MS)
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        // Instances of 0.1.0 look for the owner here.
        .setSubject(ownerId ?? sessionId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(keys[0] as Buffer)
      return { token, expiresAt }
    },

    // People call rarely, so every call can check that the session has not ended.
    async identify(token) {
      const options = { issuer: ISSUER, audience: AUDIENCE, algorithms: ['HS256'], currentDate: clock.now() }
      for (const key of keys) {
        const verified = await jwtVerify<{ sid: string }>(token, key, options).catch(() => undefined)
        if (verified) return find(verified.payload.sid)
      }
      return undefined
    },
  }
}
