import { jwtVerify, SignJWT } from 'jose'
import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import type { Secrets } from '../secrets.js'

/** The person behind agents: everything that a request needs to know about its caller. */
export interface OwnerIdentity {
  readonly id: string
  /** The X account that verified their agents. */
  readonly xId: string
}

/** Signs short-lived owner tokens, and finds the owner behind one. */
export interface OwnerTokens {
  sign(claims: { ownerId: string; sessionId: string }): Promise<{ token: string; expiresAt: Date }>
  /** Also undefined when the login behind the token has ended. */
  identify(token: string): Promise<OwnerIdentity | undefined>
}

const LIFETIME_MS = 15 * 60_000
const ISSUER = 'rookery'
const AUDIENCE = 'rookery-owner'

export function createOwnerTokens({ db, secrets, clock }: { db: Db; secrets: Secrets; clock: Clock }): OwnerTokens {
  const key = secrets.key('owner-token')
  return {
    async sign({ ownerId, sessionId }) {
      const issuedAt = clock.now()
      const expiresAt = new Date(issuedAt.getTime() + LIFETIME_MS)
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(ownerId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key)
      return { token, expiresAt }
    },

    // People call rarely, so every call can check that the login has not ended.
    async identify(token) {
      const options = { issuer: ISSUER, audience: AUDIENCE, algorithms: ['HS256'], currentDate: clock.now() }
      const verified = await jwtVerify<{ sid: string }>(token, key, options).catch(() => undefined)
      if (!verified) return undefined
      const { sub, sid } = verified.payload
      const row = await db.find<Row<'owner', 'id' | 'x_id'>>(sql`
        select owner.id, x_id from owner_session join owner on owner.id = owner_id
        where owner_session.id = ${sid} and owner_id = ${sub} and ended_at is null`)
      return row && { id: row.id, xId: row.x_id }
    },
  }
}
