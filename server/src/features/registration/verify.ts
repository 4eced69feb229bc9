import sql from 'sql-template-tag'
import { type PostLookup, type SocialPost, SocialRateLimited } from '../../adapters/social/social-network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { readClaimToken, verificationCode } from '../agents/claim.js'
import { type AgentRow, agentColumns, getAgent } from '../agents/queries.js'

/** The claim token is needed only without an API key; without `tweetUrl` the post is searched for. */
export interface Verification {
  readonly code?: string
  readonly tweetUrl?: string
  readonly verifyToken?: string
}

type VerifyDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'config' | 'secrets' | 'social' | 'identities' | 'events'>

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
  const post = await getVerificationPost(deps, agent, code, input.tweetUrl)
  requireCodeAndMention(post.text, code, deps.config.PLATFORM_HANDLE)
  const declaredHandle = agent.x_username
  if (declaredHandle && declaredHandle.toLowerCase() !== post.author.handle.toLowerCase())
    throw new Problem('VERIFICATION_ACCOUNT_MISMATCH', {
      message: `Post from @${declaredHandle}, the account declared at registration.`,
    })
  const verified = await linkAccount(deps, agent, post)
  await deps.identities.forget(agent.id)
  return verified
}

export async function getAgentByClaim({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, token: string): Promise<AgentRow> {
  const agentId = readClaimToken(secrets, token)
  if (agentId === undefined) throw new Problem('VERIFICATION_CODE_INVALID')
  return getAgent(db, agentId)
}

function getClaimedAgent(
  deps: VerifyDeps,
  viewer: AgentIdentity | undefined,
  token: string | undefined,
): Promise<AgentRow> {
  if (token !== undefined) return getAgentByClaim(deps, token)
  if (!viewer) throw new Problem('UNAUTHENTICATED', { message: 'Send X-API-Key, or verifyToken from the claim URL.' })
  return getAgent(deps.db, viewer.id)
}

async function getVerificationPost(
  { social, config }: VerifyDeps,
  agent: AgentRow,
  code: string,
  url: string | undefined,
): Promise<SocialPost> {
  const lookup = await translateErrors(() =>
    url === undefined
      ? social.findPost({
          terms: [activationLine(code), `@${config.PLATFORM_HANDLE}`],
          ...(agent.x_username && { handle: agent.x_username }),
        })
      : social.getPost(url),
  )
  if (!lookup) throw Problem.at('tweetUrl', 'is required: this social network cannot be searched')
  if (lookup.found) return lookup.post
  if (lookup.reason === 'bad_url') throw Problem.at('tweetUrl', 'must be the URL of a post on the social network')
  throw new Problem('VERIFICATION_POST_NOT_FOUND', {
    ...(lookup.reason === 'protected' && {
      message: 'The account of this post is protected. Make it public while you verify.',
    }),
  })
}

async function translateErrors(read: () => Promise<PostLookup | null>): Promise<PostLookup | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SocialRateLimited)
      throw new Problem('SOCIAL_RATE_LIMITED', { retryAfterSeconds: error.retryAfterSeconds })
    throw new Problem('SOCIAL_UNAVAILABLE', { cause: error })
  }
}

function activationLine(code: string): string {
  return `Activation code: ${code}`
}

function requireCodeAndMention(text: string, code: string, handle: string): void {
  const plain = text.replace(/\s+/g, ' ').toLowerCase()
  if (!plain.includes(activationLine(code).toLowerCase())) throw new Problem('VERIFICATION_CODE_MISSING')
  if (!new RegExp(`(^|[^a-z0-9_])@${handle.toLowerCase()}(?![a-z0-9_])`).test(plain))
    throw new Problem('VERIFICATION_MENTION_MISSING')
}

function linkAccount(deps: VerifyDeps, agent: AgentRow, post: SocialPost): Promise<AgentRow> {
  return deps.db.transaction(async (db) => {
    const verified = await setAccount(db, deps.clock.now(), agent, post)
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

async function setAccount(db: Db, now: Date, agent: AgentRow, { author }: SocialPost): Promise<AgentRow> {
  try {
    return await db.one<AgentRow>(sql`
      update agent set
        status = case when status = 'pending' then 'active' else status end,
        x_id = ${author.id}, x_username = ${author.handle}, x_owner_handle = ${author.handle}, x_owner_name = ${author.name},
        x_followers_count = ${author.followersCount}, x_following_count = ${author.followingCount},
        verified_at = ${now}, updated_at = ${now}
      where id = ${agent.id} returning ${agentColumns}`)
  } catch (error) {
    if (violatedConstraint(error) === 'agent_x_id_key') throw new Problem('SOCIAL_ACCOUNT_ALREADY_LINKED')
    throw error
  }
}
