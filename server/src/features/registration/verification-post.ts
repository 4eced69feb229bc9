import sql from 'sql-template-tag'
import type { Ceiling } from '../../adapters/limiter/limiter.js'
import {
  type PostLookup,
  SocialBudgetSpent,
  type SocialPost,
  SocialRateLimited,
  TooManyPosts,
} from '../../adapters/social/social-network.js'
import { type Network, siteOf } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { takeOrRefuse } from '../../foundation/limits.js'

/** What a verification post must contain, and who must have written it. */
export interface PostRules {
  readonly agentId: string
  readonly code: string
  /** The only account that may post it; null if any may. */
  readonly handle: string | null
  /** Whether an agent moves to another account, which anybody can complete, and not the agent alone. */
  readonly isMove: boolean
  /** Where the call comes from: many agents of one place share its attempts. */
  readonly network: Network
  /** Nobody asked for it and looks at the result: any other account that posted the code, in whatever words, is a reason to refuse. */
  readonly isUnattended?: boolean
}

type PostDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'social' | 'limiter'>

/**
 * Finds the post that verifies an agent, by an account that no other agent has: the one at the URL, or the newest that a
 * search finds. Throws what is wrong with the best candidate if there is none, and when several accounts come into
 * question: a code is public once it is posted, and anybody may copy it.
 */
export async function getVerificationPost(
  deps: PostDeps,
  rules: PostRules,
  url: string | undefined,
): Promise<SocialPost> {
  const candidates = url === undefined ? await searchPosts(deps, rules) : [await getPost(deps, rules, url)]
  const problems = candidates.map((post) => findProblem(post, rules, deps.config.PLATFORM_HANDLE))
  const valid = candidates.filter((_, index) => problems[index] === undefined)
  if (valid.length === 0)
    throw problems.find((problem) => problem !== undefined) ?? new Problem('VERIFICATION_POST_NOT_FOUND')
  const linked = await listLinkedAgents(deps, valid)
  const [post, ...others] = valid.filter(({ author }) =>
    linked.every(({ author_id, id }) => author_id !== author.id || id === rules.agentId),
  )
  if (!post) throw new Problem('SOCIAL_ACCOUNT_ALREADY_LINKED')
  const rivals = rules.isUnattended ? candidates : others
  if (rivals.some(({ author }) => author.id !== post.author.id)) throw new Problem('VERIFICATION_POSTS_AMBIGUOUS')
  // The agent's own account is known by more than its handle, and stays so.
  const own = linked.find(({ author_id }) => author_id === post.author.id)
  return own ? { ...post, author: { ...post.author, id: own.x_id } } : post
}

async function searchPosts(deps: PostDeps, rules: PostRules): Promise<readonly SocialPost[]> {
  const { code, handle, isUnattended } = rules
  const mention = isUnattended ? [] : [`@${deps.config.PLATFORM_HANDLE}`]
  const query = { terms: [code, ...mention], ...(handle !== null && { handle }) }
  const posts = await translateErrors(() => deps.social.findPosts(query, { beforeCall: countAttempt(deps, rules) }))
  if (!posts) throw Problem.at('tweetUrl', 'is required: this social network cannot be searched')
  return posts
}

async function getPost(deps: PostDeps, rules: PostRules, url: string): Promise<SocialPost> {
  const beforeCall = countAttempt(deps, rules)
  const lookup: PostLookup = await translateErrors(() => deps.social.getPost(url, { beforeCall }))
  if (lookup.found) return lookup.post
  if (lookup.reason === 'bad_url') throw Problem.at('tweetUrl', 'must be the URL of a post on the social network')
  throw new Problem('VERIFICATION_POST_NOT_FOUND', {
    ...(lookup.reason === 'protected' && {
      message: 'The account of this post is protected. Make it public while you verify.',
    }),
  })
}

const HOUR_MS = 60 * 60_000
// One address verifies as many agents at most as if each used all of its attempts, and one site twice as many.
const AGENTS_PER_NETWORK = 4
const NETWORKS_PER_SITE = 2
// Anybody can try to complete a move, so it takes this many callers to use up the attempts at one.
const CALLERS_PER_MOVE = 12

/** Counts a lookup that calls the network, so that one agent cannot use up the quota of all. */
function countAttempt(deps: PostDeps, { agentId, isMove, network }: PostRules): () => Promise<void> {
  const most = deps.config.RATE_LIMIT_VERIFICATIONS
  const atNetwork = most * AGENTS_PER_NETWORK
  const site = siteOf(network)
  const ceiling =
    site === undefined ? undefined : { bucket: `verify:site:${site}`, limit: atNetwork * NETWORKS_PER_SITE }
  async function count(bucket: string, limit: number, whose: string, ceiling?: Ceiling): Promise<void> {
    const what = `${whose} has used its ${limit} lookups of verification posts in an hour.`
    await takeOrRefuse(deps, `verify:${bucket}`, { limit, windowMs: HOUR_MS }, what, ceiling)
  }
  return async () => {
    // Each caller of a move has attempts of its own: a single one cannot use up those of the wallet's owner.
    await count(isMove ? `${agentId}:${network}` : agentId, most, 'This agent')
    await count(`network:${network}`, atNetwork, 'This address', ceiling)
    if (isMove) await count(`move:${agentId}`, most * CALLERS_PER_MOVE, 'This move')
  }
}

async function translateErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof TooManyPosts)
      throw new Problem('VERIFICATION_POSTS_AMBIGUOUS', {
        message: 'More posts contain this code than are read. Pass the URL of your post as tweetUrl.',
      })
    if (error instanceof SocialRateLimited)
      throw new Problem('SOCIAL_RATE_LIMITED', {
        retryAfterSeconds: error.retryAfterSeconds,
        ...(error instanceof SocialBudgetSpent && {
          message: `All agents together have used up the calls to the social network for now. Try again in ${error.retryAfterSeconds} s.`,
        }),
      })
    throw new Problem('SOCIAL_UNAVAILABLE', { cause: error })
  }
}

/** What is wrong with a post. The code may be in a text of the owner's own, but not be part of a longer word. */
function findProblem({ text, author }: SocialPost, { code, handle }: PostRules, platform: string): Problem | undefined {
  if (!new RegExp(`(^|[^a-z0-9])${code}(?![a-z0-9])`, 'i').test(text)) return new Problem('VERIFICATION_CODE_MISSING')
  if (!new RegExp(`(^|[^a-z0-9_])@${platform}(?![a-z0-9_])`, 'i').test(text))
    return new Problem('VERIFICATION_MENTION_MISSING')
  if (handle === null || handle.toLowerCase() === author.handle.toLowerCase()) return undefined
  return new Problem('VERIFICATION_ACCOUNT_MISMATCH', {
    message: `Post from @${handle}, the account declared for this agent, or declare another one first.`,
  })
}

/**
 * The agents that the authors of posts are linked to. An author of whom only the handle is known counts as the account
 * that last logged in with that handle.
 */
function listLinkedAgents(
  { db }: PostDeps,
  posts: readonly SocialPost[],
): Promise<{ readonly author_id: string; readonly id: string; readonly x_id: string }[]> {
  const ids = posts.map(({ author }) => author.id)
  const handles = ids.flatMap((id) => (id.startsWith('handle:') ? [id.slice('handle:'.length)] : []))
  return db.many(sql`
    with account as (
      select id as author_id, id as x_id from unnest(${ids}::text[]) id
      union (select distinct on (lower(x_handle)) 'handle:' || lower(x_handle), x_id from owner
        where lower(x_handle) = any(${handles}::text[]) order by lower(x_handle), last_login_at desc))
    select author_id, agent.id, x_id from account join agent using (x_id)`)
}
