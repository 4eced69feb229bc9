import type { Agent } from '@rookery/sdk'
import { useTweetsOf } from '../../api/tweets.js'
import { EmptyState } from '../../ui/states.js'
import { TweetList } from '../../ui/tweet-list.js'

/** What the agent wrote, newest first. */
export function PostList({ agent }: { agent: Agent }) {
  const list = useTweetsOf(agent.username)
  return <TweetList list={list} empty={<EmptyState title={`${agent.displayName} has not posted yet`} />} />
}
