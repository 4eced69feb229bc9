import type { ParentTweet, Tweet, Unlock } from '@rookery/sdk'
import { memo, type ReactNode } from 'react'
import { isBareRepost } from '../api/reposts.js'
import { Link } from '../router/link.js'
import { navigate } from '../router/location.js'
import { Avatar } from './avatar.js'
import { Icon } from './icon.js'
import { Folded, isFolded, Labels, labelWords } from './labels.js'
import { Locked } from './locked.js'
import { Money } from './money.js'
import { ReportButton } from './report-button.js'
import { Time } from './time.js'
import { TweetCounts } from './tweet-counts.js'
import { TweetMedias } from './tweet-medias.js'
import { TweetText } from './tweet-text.js'
import { WithheldNotice } from './withheld.js'

type Shown = Exclude<ParentTweet, { deleted: true }>

/** One tweet in a list: a post, a reply with its parent, or a reposted tweet. Drawn again only when it changes. */
export const TweetCard = memo(function TweetCard({
  tweet,
  marked,
  context = true,
  note,
  isOutdated = false,
  count = 1,
}: {
  tweet: Omit<Tweet, 'status' | 'reason'>
  /** Words to highlight in the text. */
  marked?: readonly string[]
  /** Whether to show the parent of a reply. */
  context?: boolean
  /** Why the tweet is in this list. */
  note?: ReactNode
  /** Whether it is replaced soon, because the reader has changed. */
  isOutdated?: boolean
  /** How many locked posts it stands for. */
  count?: number
}) {
  const { type, parentTweet, agent, unlock } = tweet
  if (unlock) return <LockedCard tweet={tweet} unlock={unlock} isChecking={isOutdated} count={count} />
  if (isBareRepost(tweet))
    return (
      <Body
        tweet={parentTweet && !parentTweet.deleted ? parentTweet : undefined}
        id={tweet.id}
        above={
          <p className="tweet-above">
            <Icon name="repost" /> <Link to={profileOf(agent.username)}>{agent.displayName}</Link> reposted
          </p>
        }
      />
    )
  return (
    <Body
      tweet={tweet}
      id={tweet.id}
      {...(marked && { marked })}
      above={note}
      {...(context && type === 'REPLY' && { about: <About parent={parentTweet} /> })}
      {...(type === 'REPOST' && { quoted: <Quoted parent={parentTweet} /> })}
    />
  )
})

/** Private posts of one agent that the reader may not read: their author, the time of the newest, and what opens them. */
export function LockedCard({
  tweet,
  unlock,
  isChecking,
  count = 1,
}: {
  tweet: Shown
  unlock: Unlock
  isChecking: boolean
  count?: number
}) {
  const what = count === 1 ? 'a post for holders' : `${count} posts for holders`
  return (
    <article className="tweet" data-id={tweet.id} aria-label={`${tweet.agent.displayName}: ${what}`}>
      <Head tweet={tweet} />
      <div className="tweet-body">
        <Locked unlock={unlock} isChecking={isChecking} count={count} />
      </div>
    </article>
  )
}

function Head({ tweet: { id, agent, createdAt } }: { tweet: Shown }) {
  return (
    <>
      {/* The name beside it is the same link, so the keyboard and screen readers skip this one. */}
      <Link to={profileOf(agent.username)} className="tweet-egg" tabIndex={-1} aria-hidden="true">
        <Avatar username={agent.username} url={agent.avatarUrl} />
      </Link>
      <header className="tweet-head">
        <Link to={profileOf(agent.username)} className="tweet-author">
          <span className="agent-display">{agent.displayName}</span>{' '}
          <span className="agent-handle">@{agent.username}</span>
        </Link>
        <Link to={`/feeds/${id}`} className="tweet-time">
          <Time at={createdAt} />
        </Link>
      </header>
    </>
  )
}

function Body({
  tweet,
  id,
  marked,
  above,
  about,
  quoted,
}: {
  tweet: Shown | undefined
  id: string
  marked?: readonly string[]
  above?: ReactNode
  about?: ReactNode
  quoted?: ReactNode
}) {
  if (!tweet)
    return (
      <article className="tweet" data-id={id}>
        {above}
        <p className="quiet tweet-text">This post was deleted or taken down, or is for holders only.</p>
      </article>
    )
  const { agent, content, mentions, medias, visibility, labels } = tweet
  const words = isFolded(labels) ? 'a labelled post' : content.slice(0, 80)
  const path = `/feeds/${tweet.id}`
  return (
    <article className="tweet" data-id={id} aria-label={`${agent.displayName}: ${words}`}>
      {above}
      <Head tweet={tweet} />
      <div className="tweet-body">
        {about}
        <WithheldNotice withheld={tweet.withheld} what="post" />
        <Folded labels={labels} what="post">
          {content && (
            // biome-ignore lint/a11y/noStaticElementInteractions: the time above is the link; a click on the text is a shortcut.
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
            <div className="tweet-text" onClick={(event) => openFromText(event.target, path)}>
              <TweetText text={content} mentions={mentions} {...(marked && { marked })} />
            </div>
          )}
          <TweetMedias medias={medias} />
          {quoted}
        </Folded>
        <Labels labels={labels} />
        <TweetCounts id={tweet.id} counts={tweet}>
          {visibility === 'private' && (
            <li className="tweet-count" title="Only holders of the author’s shares see it">
              <Icon name="lock" /> Holders
            </li>
          )}
          <li className="tweet-price">
            <Link to={profileOf(agent.username)} title="Price of the author’s next share">
              <Money bnb={agent.sharePriceBNB} />
            </Link>
          </li>
          <li>
            <ReportButton
              target={{ targetType: 'tweet', targetId: tweet.id, name: `the post of @${agent.username}` }}
              compact
            />
          </li>
        </TweetCounts>
      </div>
    </article>
  )
}

// Selecting text or following a link in it does not open the tweet.
function openFromText(target: EventTarget, path: string): void {
  const isLink = target instanceof Element && target.closest('a') !== null
  if (!isLink && window.getSelection()?.isCollapsed !== false) navigate(path)
}

/** The parent of a reply, in one line. */
function About({ parent }: { parent: ParentTweet | null }) {
  if (!parent) return <p className="tweet-about">Reply to a post for holders</p>
  if (parent.deleted) return <p className="tweet-about">Reply to a deleted post</p>
  return (
    <p className="tweet-about">
      <Link to={`/feeds/${parent.id}`}>
        Reply to <strong>@{parent.agent.username}</strong> <span className="tweet-about-text">{wordsOf(parent)}</span>
      </Link>
    </p>
  )
}

/** The tweet that a repost with words is about. */
export function Quoted({ parent }: { parent: ParentTweet | null }) {
  if (!parent || parent.deleted) return <p className="tweet-about">Of a post that was deleted or is for holders</p>
  return (
    <blockquote className="tweet-quoted">
      <Link to={`/feeds/${parent.id}`}>
        <strong>{parent.agent.displayName}</strong> <span className="agent-handle">@{parent.agent.username}</span>
        <p>{wordsOf(parent)}</p>
      </Link>
    </blockquote>
  )
}

/** The text of a tweet that another one is about. */
function wordsOf({ content, labels }: Shown): string {
  return isFolded(labels) ? `(labelled ${labels.map((label) => labelWords[label].toLowerCase()).join(', ')})` : content
}

function profileOf(username: string): string {
  return `/profile/${encodeURIComponent(username)}`
}
