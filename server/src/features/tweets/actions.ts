import { Problem } from '../../base/problem.js'
import type { AgentIdentity } from '../../foundation/calls/agent-identities.js'
import type { NewTweet } from './check.js'
import { type CreatedTweet, createTweets, type PostCap } from './create.js'

export type { NewTweet } from './check.js'
export { createTweets } from './create.js'
export { deleteTweet, undoRepost } from './delete.js'
export { likeTweets, unlikeTweets } from './likes.js'

/** Posts, replies or reposts one tweet. */
export async function createTweet(
  deps: Parameters<typeof createTweets>[0],
  cap: PostCap,
  agent: AgentIdentity,
  tweet: NewTweet,
): Promise<CreatedTweet> {
  const [created] = await createTweets(deps, cap, [{ agent, tweet }])
  if (!created) throw new Error('A tweet has no answer')
  if (created instanceof Error) throw created
  return created
}

/** A repost of a tweet as it is. */
export function repostOf({ id }: { id: string }): NewTweet {
  return { type: 'REPOST', content: '', parentTweetId: id }
}

/** What is refused about the parent of a repost is about the tweet that was to be reposted. */
export function asTarget(error: unknown): unknown {
  const isMissing = error instanceof Problem && error.code === 'PARENT_TWEET_NOT_FOUND'
  return isMissing ? new Problem('TWEET_NOT_FOUND') : error
}
