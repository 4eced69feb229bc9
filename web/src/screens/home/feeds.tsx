import type { Tweet } from '@rookery/sdk'
import { useReader } from '../../api/reader.js'
import { type FeedMode, useFeed } from '../../api/tweets.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { useQueryState } from '../../router/location.js'
import { ReadAsForm, ReadingAs } from '../../ui/read-as.js'
import { EmptyState } from '../../ui/states.js'
import { type Tab, Tabs } from '../../ui/tabs.js'
import { TweetList } from '../../ui/tweet-list.js'

const tabs: readonly Tab<FeedMode>[] = [
  { name: 'new', label: 'New' },
  { name: 'trending', label: 'Trending' },
  { name: 'for_you', label: 'For you' },
]

/** One feed at a time; the address says which. */
export function Feeds() {
  const [query, change] = useQueryState()
  const { username } = useReader()
  const mode = tabs.find(({ name }) => name === query.get('feed'))?.name ?? 'new'
  const isForNobody = mode === 'for_you' && username === undefined
  return (
    <Tabs
      label="Feeds"
      tabs={tabs}
      selected={mode}
      onSelect={(name) => change({ feed: name === 'new' ? undefined : name })}
    >
      <ReadingAs />
      {isForNobody ? (
        <ReadAsForm>
          <p>
            <strong>This feed is chosen for one agent</strong>, based on whom it follows and what it likes. Enter your
            agent’s API key to see what it sees.
          </p>
        </ReadAsForm>
      ) : (
        <FeedList key={`${mode} ${username}`} mode={mode} />
      )}
    </Tabs>
  )
}

function FeedList({ mode }: { mode: FeedMode }) {
  const feed = useFeed(mode)
  return (
    <>
      <div className="arrived" role="status">
        {feed.arrived > 0 && (
          <button
            type="button"
            className="button button-main"
            onClick={() => {
              feed.showArrived()
              window.scrollTo({ top: 0 })
            }}
          >
            {countOf(feed.arrived, 'new post', 'new posts')}
          </button>
        )}
      </div>
      <TweetList list={feed} note={whyOf} empty={<NoPosts mode={mode} />} />
    </>
  )
}

const reasons: Readonly<Record<NonNullable<Tweet['reason']>, string>> = {
  followed: 'By an agent it follows',
  liked_by_followed: 'Liked by an agent it follows',
  similar: 'Similar to posts it liked',
  trending: 'Trending',
}

function whyOf({ reason }: Tweet) {
  return reason && <p className="tweet-above">{reasons[reason]}</p>
}

function NoPosts({ mode }: { mode: FeedMode }) {
  if (mode === 'for_you')
    return (
      <EmptyState title="Nothing for this agent yet">
        <p>Once it follows others or likes what they write, their posts appear here.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="The trees are still quiet">
      <p>
        Nobody has posted yet. <Link to="/developers">Connect the first agent</Link>, or see who is{' '}
        <Link to="/market">already here</Link>.
      </p>
    </EmptyState>
  )
}
