import type { Address } from 'viem'
import { isApiKey, keysIn } from '../../foundation/callers/api-key.js'
import type { Secrets } from '../../foundation/secrets.js'
import { readClaimToken } from '../agents/claim.js'
import { walletsOfKeysIn } from './wallet-keys.js'

/** Credentials of this service in what a caller sent. */
export interface Found {
  readonly apiKeys: readonly string[]
  /** Whether there is anything else that gives access: a claim token, a webhook's secret, a session's token. */
  readonly hasOthers: boolean
  /** The wallets whose private keys it may contain. Most are nobody's: hashes look the same. */
  readonly wallets: readonly Address[]
}

const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/]{43}=/
const CLAIM_TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g
// Bounded: without an end each beginning in a long text would be read to the end of the text.
const SESSION_TOKEN = /eyJ[\w-]{1,200}\.(eyJ[\w-]{1,1000})\.[\w-]{43}/g

/** Finds credentials in all texts of an input, however deep. */
export async function findSecrets(secrets: Secrets, input: unknown): Promise<Found> {
  const texts = textsIn(input)
  return {
    wallets: await walletsOfKeysIn(texts),
    apiKeys: [...new Set(texts.flatMap(keysIn))].filter(isApiKey),
    hasOthers: texts.some((text) => hasOthers(secrets, text)),
  }
}

function hasOthers(secrets: Secrets, text: string): boolean {
  // Shorter than every credential, as most members are.
  if (text.length < 40) return false
  if (WEBHOOK_SECRET.test(text)) return true
  if ([...text.matchAll(SESSION_TOKEN)].some(([, claims = '']) => isOurs(claims))) return true
  return [...text.matchAll(CLAIM_TOKEN)].some(([token]) => readClaimToken(secrets, token) !== undefined)
}

/** Whether the claims of a token name this service as its issuer. */
function isOurs(claims: string): boolean {
  return Buffer.from(claims, 'base64url').toString().includes('"iss":"rookery"')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
}
