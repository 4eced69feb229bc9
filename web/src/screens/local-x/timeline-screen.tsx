import './local-x.css'
import { useLocalPosts } from '../../api/local-posts.js'
import { Link } from '../../router/link.js'
import { useLocation } from '../../router/location.js'
import { ListView } from '../../ui/list-view.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'
import { Compose } from './compose.js'
import { LocalLabel } from './local-label.js'
import { PostCard } from './post-card.js'

/** A form and the newest posts, of everyone or of one account. */
export function TimelineScreen() {
  const { searchParams } = useLocation()
  const handle = searchParams.get('handle')?.replace(/^@/, '') || undefined
  const text = searchParams.get('text') ?? ''
  const list = useLocalPosts(handle)
  return (
    <Screen title={handle ? `@${handle} on the local network` : 'Local network'} className="narrow local-x">
      <LocalLabel />
      <h1>{handle ? `Posts by @${handle}` : 'Local network'}</h1>
      {handle ? <Link to="/local/x/">All posts</Link> : <Compose key={text} text={text} />}
      <section aria-labelledby="posts-title">
        <h2 id="posts-title" className={handle ? 'visually-hidden' : undefined}>
          Newest posts
        </h2>
        <ListView
          list={list}
          what="posts"
          rows={4}
          empty={<EmptyState title={handle ? `@${handle} has not posted` : 'Nothing has been posted yet'} />}
        >
          {(posts) => posts.map((post) => <PostCard key={post.id} post={post} />)}
        </ListView>
      </section>
    </Screen>
  )
}
