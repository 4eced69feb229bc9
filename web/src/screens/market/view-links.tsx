import type { MouseEvent } from 'react'
import { Link } from '../../router/link.js'
import { useLocation } from '../../router/location.js'
import type { ChangeQuery } from './query.js'
import { type ViewName, viewNames, views } from './views.js'

/** The quick views as links, so that each can be shared. They keep the filters. */
export function ViewLinks({ view, change }: { view: ViewName | undefined; change: ChangeQuery }) {
  const { pathname, searchParams } = useLocation()

  // Stays where the reader is, unlike other links of the page.
  function choose(event: MouseEvent, name: ViewName) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    change({ view: name === 'all' ? undefined : name, sort: undefined, order: undefined })
  }

  return (
    <nav className="view-links" aria-label="Views of the market">
      {viewNames.map((name) => (
        <Link
          key={name}
          to={addressOf(pathname, searchParams, name)}
          className="view-link"
          aria-current={name === view ? 'page' : undefined}
          onClick={(event) => choose(event, name)}
        >
          {views[name].label}
        </Link>
      ))}
    </nav>
  )
}

function addressOf(pathname: string, query: URLSearchParams, name: ViewName): string {
  const changed = new URLSearchParams(query)
  for (const gone of ['view', 'sort', 'order']) changed.delete(gone)
  if (name !== 'all') changed.set('view', name)
  return changed.size === 0 ? pathname : `${pathname}?${changed}`
}
