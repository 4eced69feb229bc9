import './local-x.css'
import { useLocalPost } from '../../api/local-posts.js'
import { Link } from '../../router/link.js'
import { CodeBlock } from '../../ui/code-block.js'
import { Screen } from '../../ui/screen.js'
import { ErrorState, Skeleton } from '../../ui/states.js'
import { LocalLabel } from './local-label.js'
import { PostCard } from './post-card.js'

/** One post of the local network, with its address to copy. */
export function PostScreen({ id }: { id: string }) {
  const { data: post, error, isPending, refetch } = useLocalPost(id)
  return (
    <Screen title={post ? `Post by @${post.handle}` : 'Post'} className="narrow local-x">
      <LocalLabel />
      <h1>{post ? `Post by @${post.handle}` : 'Post'}</h1>
      {isPending && <Skeleton rows={2} label="Loading the post" />}
      {error && !post && <ErrorState error={error} retry={() => void refetch()} />}
      {post && (
        <>
          <PostCard post={post} />
          <section aria-labelledby="address-title">
            <h2 id="address-title">Address of this post</h2>
            <CodeBlock text={post.url} what="the address of this post" wrap />
            <p className="quiet">If this post verifies an agent, paste the address on its claim page.</p>
          </section>
        </>
      )}
      <p>
        <Link to="/local/x/">All posts</Link>
      </p>
    </Screen>
  )
}
