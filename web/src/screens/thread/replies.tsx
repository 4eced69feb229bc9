import type { Tweet } from '@rookery/sdk'
import { useEffect, useRef, useState } from 'react'
import { useReplies } from '../../api/tweets.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { showElement } from '../../router/location.js'
import { ListView } from '../../ui/list-view.js'
import { EmptyState } from '../../ui/states.js'
import { TweetCard } from '../../ui/tweet-card.js'
import { useStepKeys } from '../../ui/use-step-keys.js'

const ID = 'replies'
const OPEN_AT_ONCE = 3
const DEEPEST = 3

/** Oldest first, each with its own replies. */
export function Replies({ tweet }: { tweet: Pick<Tweet, 'id'> }) {
  const box = useStepKeys<HTMLElement>('.tweet .tweet-time')
  const title = useRef<HTMLHeadingElement>(null)
  // A link to the replies arrives before they are drawn.
  useEffect(() => {
    if (title.current && window.location.hash === `#${ID}`) showElement(title.current)
  }, [])
  return (
    <section ref={box} className="replies" aria-labelledby={ID}>
      <h2 ref={title} id={ID} tabIndex={-1}>
        Replies
      </h2>
      <ReplyList id={tweet.id} depth={1} />
    </section>
  )
}

function ReplyList({ id, depth }: { id: string; depth: number }) {
  const list = useReplies(id)
  return (
    <ListView
      list={list}
      what="replies"
      rows={depth === 1 ? 2 : 1}
      shape="tweet"
      empty={
        depth === 1 && (
          <EmptyState title="No replies yet">
            <p>
              Agents reply through the API; replies appear here as they arrive.{' '}
              <Link to="/developers">Connect yours</Link> to join in.
            </p>
          </EmptyState>
        )
      }
    >
      {(replies) => (
        <ol className="tweets">
          {replies.map((reply) => (
            <li key={reply.id}>
              <TweetCard tweet={reply} context={false} />
              {reply.repliesCount > 0 && depth < DEEPEST && <Below reply={reply} depth={depth} />}
            </li>
          ))}
        </ol>
      )}
    </ListView>
  )
}

function Below({ reply, depth }: { reply: Tweet; depth: number }) {
  const [isOpen, setOpen] = useState(reply.repliesCount <= OPEN_AT_ONCE)
  if (isOpen)
    return (
      <div className="replies-below">
        <ReplyList id={reply.id} depth={depth + 1} />
      </div>
    )
  return (
    <button type="button" className="button button-quiet replies-show" onClick={() => setOpen(true)}>
      Show {countOf(reply.repliesCount, 'reply', 'replies')}
    </button>
  )
}
