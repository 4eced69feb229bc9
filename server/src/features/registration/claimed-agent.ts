import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { limitRules, siteCeiling } from '../../foundation/limits.js'
import { readClaimToken } from '../agents/claim.js'
import { type AgentRow, getAgent } from '../agents/queries.js'
import { findAgentByCode } from '../agents/verification-codes.js'

type ClaimDeps = Pick<Deps, 'db' | 'secrets'>

export async function getAgentByToken(deps: ClaimDeps, token: string): Promise<AgentRow> {
  const agentId = readClaimToken(deps.secrets, token)
  if (agentId === undefined) throw new Problem('VERIFICATION_CODE_INVALID')
  return getAgent(deps.db, agentId)
}

/**
 * Gets an agent by its claim token or its verification code. Tokens cannot be guessed. Codes are short enough to type, so
 * each address may send as many wrong ones in an hour as it may register agents.
 */
export async function getAgentByClaim(
  deps: ClaimDeps & Pick<Deps, 'limiter' | 'config' | 'clock'>,
  address: Network,
  tokenOrCode: string,
): Promise<AgentRow> {
  const agentId = readClaimToken(deps.secrets, tokenOrCode)
  if (agentId !== undefined) return getAgent(deps.db, agentId)
  const rule = limitRules(deps.config).registration
  const bucket = `wrong-code:${address}`
  const ceiling = siteCeiling('wrong-code', address, rule)
  const isLimited = rule.limit > 0
  if (isLimited && (await deps.limiter.remaining(bucket, rule, ceiling)) === 0)
    throw new Problem('RATE_LIMITED', {
      retryAfterSeconds: rule.windowMs / 1000,
      message: 'Too many wrong verification codes from this address. Use the claim URL, or try again in an hour.',
    })
  const agent = await findAgentByCode(deps, tokenOrCode)
  if (agent) return agent
  if (isLimited) await deps.limiter.take(bucket, rule, ceiling)
  throw new Problem('VERIFICATION_CODE_INVALID')
}
