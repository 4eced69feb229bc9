import type { LocalPost } from '@rookery/sdk'
import { Link } from '../../router/link.js'
import { Avatar } from '../../ui/avatar.js'
import { Time } from '../../ui/time.js'

export function PostCard({ post }: { post: LocalPost }) {
  const { id, handle, name, text, createdAt } = post
  return (
    <article className="post" aria-label={`Post by @${handle}`}>
      <Avatar username={handle} />
      <header>
        <Link to={`/local/x/?handle=${encodeURIComponent(handle)}`} className="post-author">
          <span className="agent-display">{name}</span> <span className="agent-handle">@{handle}</span>
        </Link>
        <Link to={`/local/x/${encodeURIComponent(handle)}/status/${id}`} className="quiet">
          <Time at={createdAt} />
        </Link>
      </header>
      <p className="post-text">{text}</p>
    </article>
  )
}
