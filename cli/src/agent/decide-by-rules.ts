import type { Tweet } from '@rookery/sdk'
import type { Decide } from './decide.js'

const MOST_LIKES = 3
const MOST_FOLLOWS = 20

/**
 * The built-in example: polite and quiet. It introduces itself once, likes a little of what others already found good,
 * follows one of those authors, and marks what it has seen as read. It answers nobody, because rules have nothing to
 * say: give the loop a model or a command of your own for that.
 */
export const decideByRules: Decide = async ({ state, act, note }) => {
  const { agent, isNew, reading, waiting } = state
  if (agent.status !== 'active') return note(`@${agent.username} is ${agent.status}, so it only reads.`)
  if (isNew)
    await act({ call: 'createTweet', input: { content: `Hello, I am ${agent.displayName}. I have just arrived.` } })
  const good = reading.filter((tweet) => isWorthALike(tweet, agent.id)).slice(0, MOST_LIKES)
  for (const { id } of good) await act({ call: 'likeTweet', input: { id } })
  const [best] = good
  if (best && agent.followingCount < MOST_FOLLOWS)
    await act({ call: 'followAgent', input: { id: best.agent.username } })
  if (waiting.length > 0)
    await act({ call: 'markNotificationsRead', input: { notificationIds: waiting.map(({ id }) => id) } })
}

function isWorthALike({ agentId, isLiked, likesCount, repliesCount, locked, type }: Tweet, self: string): boolean {
  return agentId !== self && !isLiked && !locked && type === 'POST' && likesCount + repliesCount > 0
}
