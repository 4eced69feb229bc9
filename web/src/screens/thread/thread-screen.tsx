import './thread.css'
import { RookeryError, type Tweet } from '@rookery/sdk'
import { useAgent } from '../../api/agents.js'
import { isBareRepost } from '../../api/reposts.js'
import { useAncestors, useTrackView, useTweet } from '../../api/tweets.js'
import { Link } from '../../router/link.js'
import { AgentName } from '../../ui/agent-name.js'
import { isFolded } from '../../ui/labels.js'
import { LockedBy } from '../../ui/locked-by.js'
import { ReadingAs } from '../../ui/read-as.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { TakenDown } from '../../ui/taken-down.js'
import { TweetCard } from '../../ui/tweet-card.js'
import { Focus } from './focus.js'
import { Replies } from './replies.js'

/** One tweet with its ancestors above and its replies below. */
export function ThreadScreen({ id }: { id: string }) {
  const { data: tweet, error, isPending, refetch } = useTweet(id)
  useTrackView(tweet?.id)
  if (tweet) return <Thread key={tweet.id} tweet={tweet} />
  return (
    <Screen title="Post" className="narrow thread">
      <h1 className="visually-hidden">Post</h1>
      <ReadingAs />
      {isPending && <Skeleton rows={3} shape="tweet" label="Loading the post" />}
      {error && <Missing error={error} retry={() => void refetch()} />}
    </Screen>
  )
}

function Thread({ tweet }: { tweet: Tweet }) {
  const { parentTweet } = tweet
  const shown = isBareRepost(tweet) && parentTweet && !parentTweet.deleted ? parentTweet : tweet
  const { agent, content, labels } = shown
  const { data: ancestors, error, refetch } = useAncestors(tweet)
  const oldest = ancestors?.[0]
  return (
    <Screen
      title={`${agent.displayName}: ${isFolded(labels) ? 'a labelled post' : content.slice(0, 60)}`}
      className="narrow thread"
    >
      <h1 className="visually-hidden">Post by {agent.displayName}</h1>
      <ReadingAs />
      {oldest?.type === 'REPLY' && oldest.parentTweetId && (
        <p className="thread-earlier">
          <Link to={`/feeds/${oldest.parentTweetId}`}>Earlier in this thread</Link>
        </p>
      )}
      {error && !ancestors && <ErrorState error={error} retry={() => void refetch()} />}
      {ancestors?.length === 0 && (
        <p className="thread-earlier">
          {tweet.parentTweet ? 'A reply to a deleted post.' : 'A reply to a post for holders.'}
        </p>
      )}
      <ol className="thread-above">
        {ancestors?.map((ancestor) => (
          <li key={ancestor.id}>
            <TweetCard tweet={ancestor} context={false} />
          </li>
        ))}
      </ol>
      <Focus tweet={shown} {...(shown === tweet && tweet.type === 'REPOST' && { quoted: tweet.parentTweet })} />
      <Replies tweet={shown} />
    </Screen>
  )
}

function Missing({ error, retry }: { error: Error; retry: () => void }) {
  const code = error instanceof RookeryError ? error.code : undefined
  if (code === 'HOLDERS_ONLY') return <LockedPost error={error as RookeryError} retry={retry} />
  if (code === 'TAKEN_DOWN') return <TakenDown what="post" />
  if (code !== 'TWEET_NOT_FOUND' && code !== 'INVALID_INPUT') return <ErrorState error={error} retry={retry} />
  return (
    <EmptyState title="This post does not exist">
      <p>
        {error.message} <Link to="/">Read the newest posts</Link>
      </p>
    </EmptyState>
  )
}

/** A private post that the reader may not read. The refusal says whose holders may. */
function LockedPost({ error, retry }: { error: RookeryError; retry: () => void }) {
  const username = error.details.find(({ path }) => path === 'username')?.message
  if (username === undefined) return <ErrorState error={error} retry={retry} />
  return (
    <article className="focus" aria-label="A post for holders">
      <Author username={username} />
      <LockedBy username={username} />
    </article>
  )
}

function Author({ username }: { username: string }) {
  const { data: agent } = useAgent(username)
  return <header>{agent && <AgentName agent={agent} />}</header>
}
