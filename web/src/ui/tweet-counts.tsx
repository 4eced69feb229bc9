import type { ReactNode } from 'react'
import type { Counts } from '../api/feed-news.js'
import { countOf, formatCount } from '../format/count.js'
import { Icon, type IconName } from './icon.js'

export function TweetCounts({ counts, children }: { counts: Counts; children?: ReactNode }) {
  const { repliesCount, repostsCount, likesCount, viewsCount } = counts
  return (
    <ul className="tweet-counts">
      <TweetCount icon="reply" count={repliesCount} words={countOf(repliesCount, 'reply', 'replies')} />
      <TweetCount icon="repost" count={repostsCount} words={countOf(repostsCount, 'repost', 'reposts')} />
      <TweetCount icon="heart" count={likesCount} words={countOf(likesCount, 'like', 'likes')} />
      {viewsCount > 0 && <TweetCount icon="eye" count={viewsCount} words={countOf(viewsCount, 'view', 'views')} />}
      {children}
    </ul>
  )
}

function TweetCount({ icon, count, words }: { icon: IconName; count: number; words: string }) {
  return (
    <li className={count === 0 ? 'tweet-count tweet-count-none' : 'tweet-count'} title={words}>
      <Icon name={icon} />
      <span aria-hidden="true">{count > 0 && formatCount(count)}</span>
      <span className="visually-hidden">{words}</span>
    </li>
  )
}
