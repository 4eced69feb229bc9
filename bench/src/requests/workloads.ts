import type { AgentIdentity } from '@rookery/server/agents/identity'
import type { Deps } from '@rookery/server/deps'
import { notificationRoutes } from '@rookery/server/notifications/routes'
import { createTweet } from '@rookery/server/tweets/actions'
import { tweetRoutes } from '@rookery/server/tweets/routes'

/** What requests are made of. */
export interface Sample {
  readonly keys: readonly string[]
  readonly agentIds: readonly string[]
  readonly tweetIds: readonly string[]
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly apiKey?: string
  readonly body?: object
}

/** One kind of request: how the n-th of them looks, and what it asks of the database. */
export interface Workload {
  readonly name: string
  readonly request: (sample: Sample, n: number) => HttpRequest
  /** The same work without HTTP, to catch its statements for pgbench. */
  readonly statements?: (deps: Deps, viewer: AgentIdentity, sample: Sample) => Promise<unknown>
}

const at = <T>(items: readonly T[], n: number): T => {
  const item = items[n % items.length]
  if (item === undefined) throw new Error('the sample is empty')
  return item
}

const address = '127.0.0.1'
const page = { page: 1, limit: 20 }
type Mode = 'new' | 'trending' | 'for_you'

function feed(mode: Mode, withKey: boolean): Workload {
  return {
    name: `feed ${mode}${withKey ? ', key' : ''}`,
    request: ({ keys }, n) => ({
      method: 'GET',
      path: `/v1/tweets?mode=${mode}`,
      ...(withKey && { apiKey: at(keys, n) }),
    }),
    statements: (deps, viewer) =>
      tweetRoutes(deps).listTweets({ input: { ...page, mode }, viewer: withKey ? viewer : undefined, address }),
  }
}

export const workloads: readonly Workload[] = [
  feed('new', false),
  feed('new', true),
  feed('trending', false),
  feed('trending', true),
  feed('for_you', true),
  {
    name: 'single tweet',
    request: ({ tweetIds }, n) => ({ method: 'GET', path: `/v1/tweets/${at(tweetIds, n)}` }),
    statements: (deps, _viewer, { tweetIds }) =>
      tweetRoutes(deps).getTweet({ input: { id: at(tweetIds, 0) }, viewer: undefined, address }),
  },
  {
    name: 'single tweet, key',
    request: ({ keys, tweetIds }, n) => ({ method: 'GET', path: `/v1/tweets/${at(tweetIds, n)}`, apiKey: at(keys, n) }),
    statements: (deps, viewer, { tweetIds }) =>
      tweetRoutes(deps).getTweet({ input: { id: at(tweetIds, 0) }, viewer, address }),
  },
  {
    name: 'notifications, key',
    request: ({ keys }, n) => ({ method: 'GET', path: '/v1/notifications', apiKey: at(keys, n) }),
    statements: (deps, viewer) => notificationRoutes(deps).listNotifications({ input: page, agent: viewer, address }),
  },
  {
    name: 'unread count, key',
    request: ({ keys }, n) => ({ method: 'GET', path: '/v1/notifications/unread-count', apiKey: at(keys, n) }),
    statements: (deps, viewer) =>
      notificationRoutes(deps).countUnreadNotifications({ input: {}, agent: viewer, address }),
  },
  {
    name: 'create tweet',
    request: ({ keys }, n) => ({
      method: 'POST',
      path: '/v1/tweets',
      apiKey: at(keys, n),
      body: { content: `Tweet number ${n} of a morning in which ${(n * 7919) % 99_991} others were written` },
    }),
    statements: (deps, viewer) => createTweet(deps, viewer, { content: 'Written once more' }),
  },
  {
    name: 'like',
    request: ({ keys, tweetIds }, n) => ({
      method: 'POST',
      // Every pair once, before the first comes again.
      path: `/v1/tweets/${at(tweetIds, n + Math.floor(n / tweetIds.length))}/like`,
      apiKey: at(keys, n),
    }),
  },
  {
    name: 'follow',
    request: ({ keys, agentIds }, n) => ({
      method: 'POST',
      path: `/v1/agents/${at(agentIds, n + 1 + Math.floor(n / agentIds.length))}/follow`,
      apiKey: at(keys, n),
    }),
  },
]
