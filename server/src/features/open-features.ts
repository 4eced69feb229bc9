import type { Deps } from '../deps.js'
import { type Agents, openAgents } from './agents/open.js'
import { postCap } from './control/rules.js'
import { type Feeds, openFeeds } from './feeds/open.js'
import { type Follows, openFollows } from './follows/open.js'
import { createHub, type Hub } from './live/hub.js'
import { createMapReader, type MapReader } from './map/open.js'
import { createUploads, type Uploads } from './media/uploads.js'
import { type Notifications, openNotifications } from './notifications/open.js'
import { openSearch, type Search } from './search/open.js'
import { openShares, type Shares } from './shares/open.js'
import { createLocalVectors } from './skills/local-vectors.js'
import { createScanner, type Scanner } from './skills/scanner.js'
import { openTweets, type Tweets } from './tweets/open.js'
import { openPost } from './webhooks/open-post.js'
import type { Post } from './webhooks/post.js'

/** What features keep while the process runs. Requests and background work share it. */
export interface Features {
  readonly agents: Agents
  readonly follows: Follows
  readonly tweets: Tweets
  readonly feeds: Feeds
  readonly search: Search
  readonly map: MapReader
  readonly notifications: Notifications
  readonly shares: Shares
  readonly uploads: Uploads
  readonly scanner: Scanner
  readonly hub: Hub
  /** Posts to the addresses of webhooks, which agents choose. */
  readonly post: Post
}

export type OpenFeatures = Features & { close(): Promise<void> }

export function openFeatures(deps: Deps, replace: { readonly post?: Post } = {}): OpenFeatures {
  const { db, orderer, identities, sessionTokens, mediaUrls, holds, peers, log } = deps
  const onError = (error: Error) => log.warn({ message: error.message }, 'events are late')
  const tweets = openTweets(deps, postCap)
  const search = openSearch(deps, tweets.jsonCache)
  const scanner = createScanner(createLocalVectors(deps.embedders))
  const agents = openAgents(deps)
  const hub = createHub({
    db,
    orderer,
    identities,
    sessionTokens,
    mediaUrls,
    holds,
    isInformed: () => peers.isListening(),
    onError,
  })
  return {
    agents,
    follows: openFollows(deps),
    tweets,
    feeds: openFeeds(deps, tweets.jsonCache, search.models),
    search,
    map: createMapReader(deps),
    notifications: openNotifications(deps),
    shares: openShares(deps),
    uploads: createUploads(deps),
    scanner,
    hub,
    post: replace.post ?? openPost(deps),
    async close() {
      await hub.close()
      await scanner.close()
      await tweets.viewCounts.close()
      await agents.lastSeen.close()
    },
  }
}
