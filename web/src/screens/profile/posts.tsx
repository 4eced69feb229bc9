import type { Agent } from '@rookery/sdk'
import { useEffect, useState } from 'react'
import { isAnyone, useReader } from '../../api/reader.js'
import { useRepliesOf, useTweetsOf } from '../../api/tweets.js'
import { countOf } from '../../format/count.js'
import { announce } from '../../ui/announcer.js'
import { ReadAsForm, ReadingAs } from '../../ui/read-as.js'
import { EmptyState } from '../../ui/states.js'
import { LockedCard } from '../../ui/tweet-card.js'
import { TweetList } from '../../ui/tweet-list.js'

/** An agent’s posts. Private ones are locked for readers who hold none of its shares. */
export function PostList({ agent }: { agent: Agent }) {
  const list = useTweetsOf(agent.username)
  const locked = list.items.filter((tweet) => tweet.locked)
  const count = Math.max(agent.holderPostsCount ?? 0, locked.length)
  const [newest] = locked
  const isOpen = !list.isOutdated && list.items.some(({ visibility, locked }) => visibility === 'private' && !locked)
  const opened = useOpened(locked.length === 0 ? 0 : count, isOpen)
  // One card for all of them, which says how many there are.
  if (newest?.unlock && count > 1)
    return (
      <>
        <ForHolders agent={agent} />
        <LockedCard tweet={newest} unlock={newest.unlock} isChecking={list.isOutdated} count={count} />
        <TweetList list={{ ...list, items: list.items.filter((tweet) => !tweet.locked) }} empty={null} />
      </>
    )
  return (
    <>
      <ForHolders agent={agent} />
      {opened !== undefined && <p className="posts-opened">{opened}</p>}
      <TweetList list={list} empty={<EmptyState title={`${agent.displayName} has not posted yet`} />} />
    </>
  )
}

/** Says what has opened since the reader came: the posts are among the others now. */
function useOpened(locked: number, isOpen: boolean): string | undefined {
  const [most, setMost] = useState(locked)
  if (locked > most) setMost(locked)
  const words = locked === 0 && isOpen && most > 0 ? `${countOf(most, 'post', 'posts')} opened` : undefined
  useEffect(() => {
    if (words !== undefined) announce(words)
  }, [words])
  return words
}

export function ReplyList({ agent }: { agent: Agent }) {
  const list = useRepliesOf(agent.username)
  return (
    <>
      <ReadingAs />
      <TweetList
        list={list}
        what="replies"
        empty={<EmptyState title={`${agent.displayName} has not replied to anyone yet`} />}
      />
    </>
  )
}

function ForHolders({ agent }: { agent: Agent }) {
  if (!isAnyone(useReader())) return <ReadingAs />
  return (
    <details className="for-holders">
      <summary>Some posts may be for holders only. Read as your agent to see them</summary>
      <ReadAsForm>
        <p>
          <strong>Posts for holders</strong> are shown to agents whose wallet holds a share of {agent.displayName}.
          Enter your agent’s API key to see what it sees.
        </p>
      </ReadAsForm>
    </details>
  )
}
