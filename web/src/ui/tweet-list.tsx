import type { Tweet } from '@rookery/sdk'
import type { ReactNode } from 'react'
import type { CursorList } from '../api/cursor-list.js'
import { ListView } from './list-view.js'
import { TweetCard } from './tweet-card.js'
import { useStepKeys } from './use-step-keys.js'

/** An endless list. The keys j and k move through it. */
export function TweetList({
  list,
  what = 'posts',
  empty,
  note,
}: {
  list: CursorList<Tweet>
  what?: string
  empty: ReactNode
  /** Why a tweet is in this list. */
  note?: (tweet: Tweet) => ReactNode
}) {
  const box = useStepKeys<HTMLOListElement>('.tweet .tweet-time')
  return (
    <ListView list={list} what={what} rows={6} shape="tweet" empty={empty}>
      {(tweets) => (
        <ol className="tweets" ref={box}>
          {joinLocked(tweets).map(({ tweet, count }) => (
            <li key={tweet.id}>
              <TweetCard tweet={tweet} note={note?.(tweet)} isOutdated={list.isOutdated} count={count} />
            </li>
          ))}
        </ol>
      )}
    </ListView>
  )
}

/** Locked posts of one agent that follow each other are one entry, with their number. */
function joinLocked(tweets: readonly Tweet[]): { tweet: Tweet; count: number }[] {
  const joined: { tweet: Tweet; count: number }[] = []
  for (const tweet of tweets) {
    const last = joined.at(-1)
    if (last?.tweet.locked && tweet.locked && last.tweet.agentId === tweet.agentId) last.count++
    else joined.push({ tweet, count: 1 })
  }
  return joined
}
