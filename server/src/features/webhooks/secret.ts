import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { seal, unseal } from '../../base/sealed.js'
import type { Secrets } from '../../foundation/secrets.js'

const PURPOSE = 'webhook-secret'

/** Makes a secret: in clear, to be shown once, and sealed, to be stored. */
export function makeSecret(secrets: Secrets): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: seal(secrets.key(PURPOSE), secret) }
}

/** The headers of a signed delivery (Standard Webhooks), signed with each of the stored secrets. */
export function signedHeaders(
  secrets: Secrets,
  stored: readonly Buffer[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const signatures = stored.map((sealed) => new Webhook(unseal(secrets.key(PURPOSE), sealed)).sign(id, at, body))
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Rookery-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
