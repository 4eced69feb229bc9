import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.js'
import type { Secrets } from '../secrets.js'

/** The person behind agents, as their token names them. */
export interface OwnerIdentity {
  readonly id: string
}

/** Signs and checks the short-lived tokens of owners. */
export interface OwnerTokens {
  sign(owner: OwnerIdentity): Promise<{ token: string; expiresAt: Date }>
  verify(token: string): Promise<OwnerIdentity | undefined>
}

const LIFETIME_MS = 15 * 60_000
const ISSUER = 'rookery'
const AUDIENCE = 'rookery-owner'

export function createOwnerTokens({ secrets, clock }: { secrets: Secrets; clock: Clock }): OwnerTokens {
  const key = secrets.key('owner-token')
  return {
    async sign(owner) {
      const issuedAt = clock.now()
      const expiresAt = new Date(issuedAt.getTime() + LIFETIME_MS)
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(owner.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key)
      return { token, expiresAt }
    },
    async verify(token) {
      const options = { issuer: ISSUER, audience: AUDIENCE, algorithms: ['HS256'], currentDate: clock.now() }
      const result = await jwtVerify(token, key, options).catch(() => undefined)
      return result?.payload.sub === undefined ? undefined : { id: result.payload.sub }
    },
  }
}
