import type { Agent, Candle } from '@rookery/sdk'
import { useChart } from '../../../api/market.js'
import { Link } from '../../../router/link.js'
import { Change } from '../../../ui/change.js'
import { type Column, Table } from '../../../ui/table.js'
import { Time } from '../../../ui/time.js'
import { useNow } from '../../../ui/use-now.js'
import { type MarkedPost, moveAfter } from './marks.js'

const SHORT = 160
const NONE: readonly Candle[] = []

/** The posts of a mark: what they say, and what the price did in the hour after. */
export function ShownPosts({
  agent,
  posts,
  onClose,
}: {
  agent: Agent
  posts: readonly MarkedPost[]
  onClose: () => void
}) {
  return (
    <section className="shown-posts" aria-label="Posts at this time">
      <ol>
        {posts.map((post) => (
          <li key={post.id}>
            <p className="shown-text">{shorten(post.content) || 'A picture or a video.'}</p>
            <p className="shown-facts">
              <MoveAfter agent={agent} post={post} /> <Time at={post.createdAt} />{' '}
              <Link to={`/feeds/${post.id}`}>Open the post</Link>
            </p>
          </li>
        ))}
      </ol>
      <button type="button" className="button button-quiet" onClick={onClose}>
        Close
      </button>
    </section>
  )
}

/** What the price did in the hour after a post. */
function MoveAfter({ agent, post, isShort = false }: { agent: Agent; post: MarkedPost; isShort?: boolean }) {
  const now = useNow()
  const { data } = useChart(agent.username, '1m')
  const { percent, isOver } = moveAfter(data?.candles ?? NONE, post.createdAt, now)
  if (percent === null && !isShort) return <span className="shown-move">No earlier price to compare with</span>
  const words = isOver ? 'in the hour after' : 'since, in its first hour'
  return (
    <span className="shown-move">
      <Change percent={percent} /> {!isShort && words}
    </span>
  )
}

/** The marked posts as a table. */
export function PostTable({ agent, posts }: { agent: Agent; posts: readonly MarkedPost[] }) {
  const columns: readonly Column<MarkedPost>[] = [
    { head: 'Posted', isTitle: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      head: 'Post',
      cell: ({ id, content }) => <Link to={`/feeds/${id}`}>{shorten(content, 60) || 'A picture or a video'}</Link>,
    },
    { head: 'In the hour after', kind: 'figure', cell: (post) => <MoveAfter agent={agent} post={post} isShort /> },
  ]
  return (
    <Table
      caption="Posts marked on the chart, newest first"
      columns={columns}
      rows={posts.toReversed()}
      keyOf={({ id }) => id}
    />
  )
}

function shorten(text: string, most = SHORT): string {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`
}
