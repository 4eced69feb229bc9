import sql from 'sql-template-tag'
import { type PostLookup, type SocialPost, SocialRateLimited } from '../../adapters/social/social-network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'

/** What a verification post must contain, and who must have written it. */
export interface PostRules {
  readonly agentId: string
  readonly code: string
  /** The only account that may post it; null if any may. */
  readonly handle: string | null
}

type PostDeps = Pick<Deps, 'db' | 'config' | 'social'>

/**
 * Finds the posts that verify an agent by accounts that no other agent has, newest first: the one at the URL, or those
 * that a search finds. Throws what is wrong with the best candidate if there is none.
 */
export async function getVerificationPosts(
  deps: PostDeps,
  rules: PostRules,
  url: string | undefined,
): Promise<SocialPost[]> {
  const candidates = url === undefined ? await searchPosts(deps, rules) : [await getPost(deps, url)]
  const problems = candidates.map((post) => findProblem(post, rules, deps.config.PLATFORM_HANDLE))
  const valid = candidates.filter((_, index) => problems[index] === undefined)
  if (valid.length === 0)
    throw problems.find((problem) => problem !== undefined) ?? new Problem('VERIFICATION_POST_NOT_FOUND')
  const linked = await findLinkedAccounts(deps, rules.agentId, valid)
  const free = valid.filter(({ author }) => !linked.has(author.id))
  if (free.length === 0) throw new Problem('SOCIAL_ACCOUNT_ALREADY_LINKED')
  return free
}

async function searchPosts({ social, config }: PostDeps, { code, handle }: PostRules): Promise<readonly SocialPost[]> {
  const terms = [code, `@${config.PLATFORM_HANDLE}`]
  const posts = await translateErrors(() => social.findPosts({ terms, ...(handle !== null && { handle }) }))
  if (!posts) throw Problem.at('tweetUrl', 'is required: this social network cannot be searched')
  return posts
}

async function getPost({ social }: PostDeps, url: string): Promise<SocialPost> {
  const lookup: PostLookup = await translateErrors(() => social.getPost(url))
  if (lookup.found) return lookup.post
  if (lookup.reason === 'bad_url') throw Problem.at('tweetUrl', 'must be the URL of a post on the social network')
  throw new Problem('VERIFICATION_POST_NOT_FOUND', {
    ...(lookup.reason === 'protected' && {
      message: 'The account of this post is protected. Make it public while you verify.',
    }),
  })
}

async function translateErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SocialRateLimited)
      throw new Problem('SOCIAL_RATE_LIMITED', { retryAfterSeconds: error.retryAfterSeconds })
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

async function findLinkedAccounts(
  { db }: PostDeps,
  agentId: string,
  posts: readonly SocialPost[],
): Promise<Set<string | null>> {
  const rows = await db.many<Row<'agent', 'x_id'>>(sql`
    select x_id from agent where x_id = any(${posts.map(({ author }) => author.id)}) and id <> ${agentId}`)
  return new Set(rows.map(({ x_id }) => x_id))
}
