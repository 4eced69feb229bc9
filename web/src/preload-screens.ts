import type { QueryClient } from '@tanstack/react-query'
import { agentQuery } from './api/agents.js'
import { currentReader } from './api/reader.js'
import { tweetQuery } from './api/tweets.js'
import { preloadBy, whenUsed } from './router/preload.js'
import { matchPath } from './router/route.js'
import { screenAt } from './routes.js'

// Where most readers go next.
const PLACES = ['/market', '/search', '/agents', '/skills', '/feeds/:id', '/profile/:username']

/** Loads screens before they are opened: those of links that the reader is about to follow, and the main ones when idle. */
export function preloadScreens(queries: QueryClient): void {
  preloadBy((pathname) => {
    loadScreen(pathname)
    const { username } = matchPath('/profile/:username', pathname) ?? {}
    const { id } = matchPath('/feeds/:id', pathname) ?? {}
    if (username) void queries.prefetchQuery(agentQuery(username))
    if (id) void queries.prefetchQuery(tweetQuery(id, currentReader()))
  })
  whenUsed(() => PLACES.forEach(loadScreen))
}

// If it fails to load, opening it shows why.
function loadScreen(pathname: string): void {
  screenAt(pathname)
    ?.preload()
    .catch(() => {})
}
