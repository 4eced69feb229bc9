import { type Hex, hashMessage } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import { getChallenge, spendChallenge } from '../agents/challenges.js'
import { replaceKeys } from '../agents/keys.js'
import type { AgentRow } from '../agents/queries.js'
import { requireSignature } from '../agents/signatures.js'

type RotateDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'chain' | 'identities'>

/** Replaces the agent's key. A login is not enough: the agent's wallet must also sign a fresh challenge. */
export async function rotateAgentKey(
  deps: RotateDeps,
  agent: AgentRow,
  { message, signature, requestId }: { message: string; signature: Hex; requestId: string },
): Promise<string> {
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  const challenge = await getChallenge(deps, 'recover', message)
  if (challenge.username !== undefined && challenge.username !== agent.username) throw new Problem('CHALLENGE_INVALID')
  if (challenge.walletAddress !== agent.wallet_address) throw new Problem('INVALID_SIGNATURE')
  await requireSignature(deps.chain, { address: agent.wallet_address, hash: hashMessage(message), signature })
  const apiKey = await deps.db.transaction(async (db) => {
    await spendChallenge(db, message)
    await recordAudit(db, deps, {
      agentId: agent.id,
      actor: 'owner',
      action: 'rotateAgentKey',
      summary: 'Replaced the key of the agent',
      requestId,
    })
    return replaceKeys(db, deps, agent.id)
  })
  await deps.identities.endOlderCalls(agent.id)
  return apiKey
}
