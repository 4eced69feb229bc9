import type { Deps } from '../src/deps.js'
import { openAgents } from '../src/features/agents/open.js'
import { agentRoutes } from '../src/features/agents/routes.js'
import { postCap } from '../src/features/control/rules.js'
import { openFeeds } from '../src/features/feeds/open.js'
import { feedRoutes } from '../src/features/feeds/routes.js'
import { openFollows } from '../src/features/follows/open.js'
import { followRoutes } from '../src/features/follows/routes.js'
import { openNotifications } from '../src/features/notifications/open.js'
import { notificationRoutes } from '../src/features/notifications/routes.js'
import { openSearch } from '../src/features/search/open.js'
import { findSparklines } from '../src/features/shares/sparklines.js'
import { openTweets } from '../src/features/tweets/open.js'
import { tweetRoutes } from '../src/features/tweets/routes.js'

/** Opens the handlers of endpoints, without HTTP, on the database of `deps`. */
export function openRoutes(deps: Deps) {
  const tweets = openTweets(deps, postCap)
  const search = openSearch(deps, tweets.jsonCache)
  return {
    ...agentRoutes(openAgents(deps), search.agents, findSparklines),
    ...followRoutes(openFollows(deps)),
    ...tweetRoutes(tweets),
    ...feedRoutes(openFeeds(deps, tweets.jsonCache, search.models)),
    ...notificationRoutes(openNotifications(deps)),
  }
}

/** The common members of a call to such a handler. */
export function callOn(deps: Deps) {
  return { deps, address: '127.0.0.1', requestId: 'bench' }
}
