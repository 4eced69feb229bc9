import { recoveryText } from '@rookery/api'
import sql from 'sql-template-tag'
import { type Hex, hashMessage } from 'viem'
import { secondsUntil } from '../../base/clock.js'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { requireNoBan } from '../../foundation/callers/wallet-bans.js'
import type { Db } from '../../foundation/db/db.js'
import { getChallenge, spendChallenge } from '../agents/challenges.js'
import { replaceKeys } from '../agents/keys.js'
import { type AgentRow, getAgentOfWallet } from '../agents/queries.js'
import { requireChallenge } from '../agents/require-challenge.js'
import { requireStrangersSignature } from '../agents/signatures.js'
import { requireUnspent, spendStaticSignature } from '../agents/static-signatures.js'
import { notifyOfRecovery } from '../notifications/notify-recovery.js'
import {
  endRecovery,
  hasRecoveryWait,
  insertRecovery,
  lockOpenRecovery,
  type RecoveryRow,
  reportRecovery,
  requireNoObjection,
} from './recovery-rows.js'
import { countSignature } from './registration-limits.js'

export interface Recovery {
  readonly walletAddress?: `0x${string}`
  readonly signature: Hex
  readonly message?: string
  readonly username?: string
}

type RecoverDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'config' | 'secrets' | 'chain' | 'identities' | 'events' | 'limiter' | 'queue'
>

/**
 * Issues a new key for the wallet's agent and revokes all older ones. Where the owner wants it so, the wallet gets it only
 * after a waiting time, in which the agent and its owner can object.
 */
export async function recoverAgent(
  deps: RecoverDeps,
  network: Network,
  input: Recovery,
): Promise<{ agent: AgentRow; apiKey: string }> {
  const { message, signature } = input
  requireChallenge(deps.config, 'recover', message)
  const challenge = message === undefined ? undefined : await getChallenge(deps, 'recover', message)
  const wallet = (challenge?.walletAddress ?? input.walletAddress?.toLowerCase()) as `0x${string}` | undefined
  if (!wallet) throw Problem.at('walletAddress', 'is required')
  if (input.walletAddress && input.walletAddress.toLowerCase() !== wallet)
    throw Problem.at('walletAddress', 'must be the wallet that the challenge was issued for')
  const text = message ?? recoveryText(deps.config.PLATFORM_NAME, wallet)
  await countSignature(deps, network)
  await requireStrangersSignature(deps, { address: wallet, hash: hashMessage(text), signature })
  await requireNoBan(deps.db, deps, wallet)
  const agent = await getAgentOfWallet(deps.db, wallet, input.username ?? challenge?.username)
  if (challenge?.username !== undefined && challenge.username !== agent.username) throw new Problem('CHALLENGE_INVALID')
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  const result = await deps.db.transaction(async (db) => {
    // Serializes parallel recoveries.
    await db.run(sql`select id from agent where id = ${agent.id} for no key update`)
    if (message === undefined) await requireUnspent(db, deps, { wallet, purpose: 'recover' })
    const waits = await hasRecoveryWait(db, agent.id)
    const open =
      (await lockOpenRecovery(db, deps.clock.now(), agent.id)) ?? (waits && (await beginWait(db, deps, agent.id)))
    // The static signature stays valid for the call that gets the key; a challenge is signed anew.
    if (message !== undefined) await spendChallenge(db, message)
    if (waits && open && open.ready_at > deps.clock.now()) return { waiting: open }
    if (message === undefined) await spendStaticSignature(db, deps, { wallet, purpose: 'recover' })
    const row = open || (await insertRecovery(db, deps, agent.id, { waits }))
    // Of one that waited the agent has heard.
    if (!open) await notifyOfRecovery(db, deps, agent.id, row.id)
    const completed = await endRecovery(db, deps.clock.now(), row.id, { status: 'completed', by: 'wallet' })
    await reportRecovery(db, deps, completed, 'recovery.ended', {
      actor: 'owner',
      action: 'recoverAgent',
      target: wallet,
      summary: 'Replaced the key of the agent with a signature of its wallet',
    })
    return { apiKey: await replaceKeys(db, deps, agent.id) }
  })
  if (result.waiting) throw waitingProblem(deps, result.waiting)
  await deps.identities.endOlderCalls(agent.id)
  return { agent, apiKey: result.apiKey }
}

async function beginWait(db: Db, deps: RecoverDeps, agentId: string): Promise<RecoveryRow> {
  await requireNoObjection(db, deps.clock.now(), agentId)
  const row = await insertRecovery(db, deps, agentId, { waits: true })
  await notifyOfRecovery(db, deps, agentId, row.id)
  await reportRecovery(db, deps, row, 'recovery.requested', {
    actor: 'owner',
    action: 'requestRecovery',
    target: row.id,
    summary: `The wallet asked for a new key; it gets one from ${row.ready_at.toISOString()} on unless this is stopped`,
  })
  return row
}

function waitingProblem({ clock }: RecoverDeps, { ready_at }: RecoveryRow): Problem {
  return new Problem('RECOVERY_WAITING', {
    retryAfterSeconds: secondsUntil(ready_at, clock),
    message:
      `The owner of this agent has new keys wait, so that they and whoever has its key can object. Repeat the call with a new signature at ` +
      `${ready_at.toISOString()}. Its owner, logged in, can replace the key now.`,
  })
}
