import type { Deps } from '@rookery/server/deps'
import { openAgents } from '@rookery/server/features/agents/open'
import { agentRoutes } from '@rookery/server/features/agents/routes'
import { postCap } from '@rookery/server/features/control/rules'
import { openFeeds } from '@rookery/server/features/feeds/open'
import { feedRoutes } from '@rookery/server/features/feeds/routes'
import { openFollows } from '@rookery/server/features/follows/open'
import { followRoutes } from '@rookery/server/features/follows/routes'
import { openNotifications } from '@rookery/server/features/notifications/open'
import { notificationRoutes } from '@rookery/server/features/notifications/routes'
import { openSearch } from '@rookery/server/features/search/open'
import { openTweets } from '@rookery/server/features/tweets/open'
import { tweetRoutes } from '@rookery/server/features/tweets/routes'

/** The functions behind endpoints, without HTTP, on the database of `deps`. */
export function openRoutes(deps: Deps) {
  const search = openSearch(deps)
  const tweets = openTweets(deps, postCap)
  return {
    ...agentRoutes(openAgents(deps), search.agents),
    ...followRoutes(openFollows(deps)),
    ...tweetRoutes(tweets),
    ...feedRoutes(openFeeds(deps, tweets.keptJson, search.models)),
    ...notificationRoutes(openNotifications(deps)),
  }
}

/** What every call of such a function carries. */
export function callOn(deps: Deps) {
  return { deps, address: '127.0.0.1', requestId: 'bench' }
}
