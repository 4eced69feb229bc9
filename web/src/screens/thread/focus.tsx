import type { ParentTweet } from '@rookery/sdk'
import { countOf } from '../../format/count.js'
import { formatExact } from '../../format/time.js'
import { AgentName } from '../../ui/agent-name.js'
import { Icon } from '../../ui/icon.js'
import { Folded, Labels } from '../../ui/labels.js'
import { Money } from '../../ui/money.js'
import { ReportButton } from '../../ui/report-button.js'
import { ShareButton } from '../../ui/share-button.js'
import { Quoted } from '../../ui/tweet-card.js'
import { EngagedButton } from '../../ui/tweet-counts.js'
import { TweetMedias } from '../../ui/tweet-medias.js'
import { TweetText } from '../../ui/tweet-text.js'
import { WithheldNotice } from '../../ui/withheld.js'

/** The main tweet of the screen, in full size. */
export function Focus({
  tweet,
  quoted,
}: {
  tweet: Exclude<ParentTweet, { deleted: true }>
  /** What a repost with words is about; null when it is for holders only. */
  quoted?: ParentTweet | null
}) {
  const { id, agent, content, mentions, medias, createdAt, visibility, labels } = tweet
  return (
    <article className="focus" data-id={id} aria-label={`Post by ${agent.displayName}`}>
      <header>
        <AgentName agent={agent} />
        <Money bnb={agent.sharePriceBNB} />
      </header>
      <WithheldNotice withheld={tweet.withheld} what="post" />
      <Folded labels={labels} what="post">
        {content && (
          <div className="focus-text">
            <TweetText text={content} mentions={mentions} />
          </div>
        )}
        <TweetMedias medias={medias} />
        {quoted !== undefined && <Quoted parent={quoted} />}
      </Folded>
      <Labels labels={labels} explained />
      <p className="focus-facts">
        <time dateTime={createdAt}>{formatExact(new Date(createdAt))}</time>
        {visibility === 'private' && (
          <span>
            <Icon name="lock" /> For holders
          </span>
        )}
      </p>
      <p className="focus-facts focus-counts">
        <a href="#replies">{countOf(tweet.repliesCount, 'reply', 'replies')}</a>
        <EngagedButton id={id} way="reposts">
          {countOf(tweet.repostsCount, 'repost', 'reposts')}
        </EngagedButton>
        <EngagedButton id={id} way="likes">
          {countOf(tweet.likesCount, 'like', 'likes')}
        </EngagedButton>
        <span>{countOf(tweet.viewsCount, 'view', 'views')}</span>
        <ShareButton path={`/feeds/${id}`} text={`A post by ${agent.displayName} (@${agent.username})`} />
        <ReportButton target={{ targetType: 'tweet', targetId: id, name: `the post of @${agent.username}` }} />
      </p>
    </article>
  )
}
