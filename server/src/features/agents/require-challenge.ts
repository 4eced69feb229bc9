import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import type { Purpose } from './challenges.js'

/**
 * Refuses a signature of the static text where only challenges are taken. The static text names no domain, so a service
 * of the same name could have a wallet sign it and use the signature here.
 */
export function requireChallenge(
  { REGISTRATION_TEXTS }: Pick<Config, 'REGISTRATION_TEXTS'>,
  purpose: Extract<Purpose, 'register' | 'recover'>,
  message: string | undefined,
): void {
  if (REGISTRATION_TEXTS === 'static' || message !== undefined) return
  throw Problem.at(
    'message',
    `is required: request a text with POST /v1/auth/challenge {"purpose": "${purpose}"}, sign it, and send it as message`,
  )
}
