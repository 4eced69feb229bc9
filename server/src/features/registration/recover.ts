import { recoveryText } from '@rookery/api'
import { type Hex, hashMessage } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import { getChallenge, spendChallenge } from '../agents/challenges.js'
import { replaceKeys } from '../agents/keys.js'
import { type AgentRow, getAgentOfWallet } from '../agents/queries.js'
import { requireSignature } from '../agents/signatures.js'
import { spendStaticSignature } from '../agents/static-signatures.js'

export interface Recovery {
  readonly walletAddress?: `0x${string}`
  readonly signature: Hex
  readonly message?: string
  readonly username?: string
}

type RecoverDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'config' | 'secrets' | 'chain' | 'identities'>

/** Issues a new key for the wallet's agent and revokes all older ones. */
export async function recoverAgent(deps: RecoverDeps, input: Recovery): Promise<{ agent: AgentRow; apiKey: string }> {
  const { message, signature } = input
  const challenge = message === undefined ? undefined : await getChallenge(deps, 'recover', message)
  const wallet = (challenge?.walletAddress ?? input.walletAddress?.toLowerCase()) as `0x${string}` | undefined
  if (!wallet) throw Problem.at('walletAddress', 'is required')
  if (input.walletAddress && input.walletAddress.toLowerCase() !== wallet)
    throw Problem.at('walletAddress', 'must be the wallet that the challenge was issued for')
  const text = message ?? recoveryText(deps.config.PLATFORM_NAME, wallet)
  await requireSignature(deps.chain, { address: wallet, hash: hashMessage(text), signature })
  const agent = await getAgentOfWallet(deps.db, wallet, input.username ?? challenge?.username)
  if (challenge?.username !== undefined && challenge.username !== agent.username) throw new Problem('CHALLENGE_INVALID')
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  const apiKey = await deps.db.transaction(async (db) => {
    if (message === undefined) await spendStaticSignature(db, { wallet, purpose: 'recover' })
    else await spendChallenge(db, message)
    await recordAudit(db, deps, {
      agentId: agent.id,
      actor: 'owner',
      action: 'recoverAgent',
      target: wallet,
      summary: 'Replaced the key of the agent with a signature of its wallet',
    })
    return replaceKeys(db, deps, agent.id)
  })
  await deps.identities.forget(agent.id)
  return { agent, apiKey }
}
