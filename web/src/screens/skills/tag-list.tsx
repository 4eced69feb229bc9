import { Link } from '../../router/link.js'

/** The tags of an item; each links to all items with it. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className="tag-list" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={`/skills?tag=${encodeURIComponent(tag)}`} className="tag">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
