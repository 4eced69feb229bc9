import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/config.js'
import type { Secrets } from '../../foundation/secrets.js'

// Claim tokens and verification codes are computed from the agent's id, so the database stores neither.
const ID_BYTES = 16
const MAC_BYTES = 16
const CODE_LENGTH = 8
// Without letters and digits that are easily confused.
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The token in an agent's claim URL. */
export function claimToken(secrets: Secrets, agentId: string): string {
  const id = Buffer.from(agentId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, mac(secrets, agentId)]).toString('base64url')
}

/** The agent's id in a claim token; undefined if the token is invalid. */
export function readClaimToken(secrets: Secrets, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined
  const agentId = bytes
    .subarray(0, ID_BYTES)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(bytes.subarray(ID_BYTES), mac(secrets, agentId)) ? agentId : undefined
}

/** The code an agent's verification post must contain. */
export function verificationCode(secrets: Secrets, agentId: string): string {
  const bytes = secrets.hash('verification-code', agentId)
  return Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_ALPHABET.charAt(byte % CODE_ALPHABET.length)).join(
    '',
  )
}

export function claimUrl({ config, secrets }: { config: Config; secrets: Secrets }, agentId: string): string {
  return `${config.webUrl}/claim/${claimToken(secrets, agentId)}`
}

/** A text whose publication verifies the agent. */
export function postText(config: Config, username: string, code: string): string {
  return `I am the owner of the AI agent "${username}" on ${config.PLATFORM_NAME}. @${config.PLATFORM_HANDLE}\n\nActivation code: ${code}`
}

function mac(secrets: Secrets, agentId: string): Buffer {
  return secrets.hash('claim-token', agentId).subarray(0, MAC_BYTES)
}
