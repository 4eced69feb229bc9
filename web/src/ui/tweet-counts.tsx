import type { ReactNode } from 'react'
import type { Counts } from '../api/feed-news.js'
import { countOf, formatCount } from '../format/count.js'
import { Link } from '../router/link.js'
import { Icon, type IconName } from './icon.js'
import { overlay } from './overlay.js'

/** What others did with a tweet. Replies lead to the thread, likes and reposts to those who made them. */
export function TweetCounts({ id, counts, children }: { id: string; counts: Counts; children?: ReactNode }) {
  const { repliesCount, repostsCount, likesCount, viewsCount } = counts
  return (
    <ul className="tweet-counts">
      <li className={classOf(repliesCount)}>
        <Link to={`/feeds/${id}#replies`} title={countOf(repliesCount, 'reply', 'replies')}>
          <TweetCount icon="reply" count={repliesCount} words={countOf(repliesCount, 'reply', 'replies')} />
        </Link>
      </li>
      <li className={classOf(repostsCount)}>
        <EngagedButton id={id} way="reposts" title={countOf(repostsCount, 'repost', 'reposts')}>
          <TweetCount icon="repost" count={repostsCount} words={countOf(repostsCount, 'repost', 'reposts')} />
        </EngagedButton>
      </li>
      <li className={classOf(likesCount)}>
        <EngagedButton id={id} way="likes" title={countOf(likesCount, 'like', 'likes')}>
          <TweetCount icon="heart" count={likesCount} words={countOf(likesCount, 'like', 'likes')} />
        </EngagedButton>
      </li>
      {viewsCount > 0 && (
        <li className="tweet-count" title={countOf(viewsCount, 'view', 'views')}>
          <TweetCount icon="eye" count={viewsCount} words={countOf(viewsCount, 'view', 'views')} />
        </li>
      )}
      {children}
    </ul>
  )
}

/** Opens the list of those who like or reposted a tweet. */
export function EngagedButton({
  id,
  way,
  title,
  children,
}: {
  id: string
  way: 'likes' | 'reposts'
  title?: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className="engaged-button"
      aria-haspopup="dialog"
      title={title}
      onClick={() => overlay.set({ kind: 'engaged', id, way })}
    >
      {children}
    </button>
  )
}

function TweetCount({ icon, count, words }: { icon: IconName; count: number; words: string }) {
  return (
    <>
      <Icon name={icon} />
      <span aria-hidden="true">{count > 0 && formatCount(count)}</span>
      <span className="visually-hidden">{words}</span>
    </>
  )
}

function classOf(count: number): string {
  return count === 0 ? 'tweet-count tweet-count-none' : 'tweet-count'
}
