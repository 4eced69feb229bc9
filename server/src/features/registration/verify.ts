import sql from 'sql-template-tag'
import type { SocialPost } from '../../adapters/social/social-network.js'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { requireNoBan } from '../../foundation/callers/wallet-bans.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { verificationCode } from '../agents/claim.js'
import { type AgentRow, agentColumns, getAgent } from '../agents/queries.js'
import { getAgentByToken } from './claimed-agent.js'
import { getVerificationPost } from './verification-post.js'

/** The claim token is needed only without an API key; without `tweetUrl` the post is searched for. */
export interface Verification {
  readonly code?: string
  readonly tweetUrl?: string
  readonly verifyToken?: string
  /** Where the call comes from. */
  readonly address: Network
  /** Whether nobody asked for it. */
  readonly isUnattended?: boolean
}

type VerifyDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'config' | 'secrets' | 'social' | 'limiter' | 'identities' | 'events'
>

/** Reads the agent's post on the social network and links its author. Idempotent. */
export async function verifyAgent(
  deps: VerifyDeps,
  viewer: AgentIdentity | undefined,
  input: Verification,
): Promise<AgentRow> {
  const agent = await getClaimedAgent(deps, viewer, input.verifyToken)
  const code = verificationCode(deps.secrets, agent.id)
  if (input.code !== undefined && input.code.trim().toUpperCase() !== code)
    throw new Problem('VERIFICATION_CODE_INVALID')
  if (agent.status !== 'pending') return agent
  await requireNoBan(deps.db, deps, agent.wallet_address)
  const rules = {
    agentId: agent.id,
    code,
    handle: agent.x_username,
    isMove: false,
    network: input.address,
    isUnattended: input.isUnattended ?? false,
  }
  const post = await getVerificationPost(deps, rules, input.tweetUrl)
  const verified = await linkAccount(deps, agent, post).catch((error: unknown) => {
    if (violatedConstraint(error) === 'agent_x_id_key') throw new Problem('SOCIAL_ACCOUNT_ALREADY_LINKED')
    throw error
  })
  await deps.identities.forget(agent.id)
  return verified
}

function getClaimedAgent(
  deps: VerifyDeps,
  viewer: AgentIdentity | undefined,
  token: string | undefined,
): Promise<AgentRow> {
  if (token !== undefined) return getAgentByToken(deps, token)
  if (!viewer) throw new Problem('UNAUTHENTICATED', { message: 'Send X-API-Key, or verifyToken from the claim URL.' })
  return getAgent(deps.db, viewer.id)
}

function linkAccount(deps: VerifyDeps, agent: AgentRow, post: SocialPost): Promise<AgentRow> {
  return deps.db.transaction(async (db) => {
    const verified = await setAccount(db, deps.clock.now(), agent, post)
    // A parallel call has verified the agent.
    if (!verified) return getAgent(db, agent.id)
    await recordAudit(db, deps, {
      agentId: agent.id,
      actor: 'owner',
      action: 'verifyAgent',
      target: post.author.id,
      summary: `Verified the agent as @${post.author.handle}`,
    })
    await deps.events.append(db, [{ type: 'agent.verified', agentId: agent.id }])
    return verified
  })
}

function setAccount(db: Db, now: Date, agent: AgentRow, { author }: SocialPost): Promise<AgentRow | undefined> {
  return db.find<AgentRow>(sql`
    update agent set
      status = case when status = 'pending' then 'active' else status end,
      x_id = ${author.id}, x_username = ${author.handle}, x_owner_handle = ${author.handle}, x_owner_name = ${author.name},
      x_followers_count = ${author.followersCount}, x_following_count = ${author.followingCount},
      verified_at = ${now}, updated_at = ${now}, version = version + 1
    where id = ${agent.id} and verified_at is null returning ${agentColumns}`)
}
