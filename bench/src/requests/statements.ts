import { type AgentIdentity, createTweet, type Deps, postCap } from '@rookery/server/service'
import { callOn, openRoutes } from '@rookery/server/test/open-routes'
import { recordWork, type Statement } from '../plans/record.js'
import { withDb } from '../plans/scenarios.js'
import type { RequestData } from './workloads.js'

type Work = (deps: Deps, viewer: AgentIdentity, tweetId: string) => Promise<unknown>

const page = { page: 1, limit: 20 }

function feed(mode: 'new' | 'trending' | 'for_you', isAnonymous = false): Work {
  return (deps, viewer) =>
    openRoutes(deps).listTweets({
      input: { ...page, mode },
      ...(isAnonymous ? { viewer: undefined, agent: undefined } : { viewer, agent: viewer }),
      ...callOn(deps),
    })
}

/** What requests do without HTTP, by workload name. */
const works: Readonly<Record<string, Work>> = {
  'newest 20, anonymous': feed('new', true),
  'newest 20': feed('new'),
  'trending 20, anonymous': feed('trending', true),
  'trending 20': feed('trending'),
  'for you': feed('for_you'),
  'single tweet, anonymous': (deps, _viewer, id) =>
    openRoutes(deps).getTweet({ input: { id }, viewer: undefined, agent: undefined, ...callOn(deps) }),
  'single tweet': (deps, viewer, id) =>
    openRoutes(deps).getTweet({ input: { id }, viewer, agent: viewer, ...callOn(deps) }),
  notifications: (deps, viewer) => openRoutes(deps).listNotifications({ input: page, agent: viewer, ...callOn(deps) }),
  'unread count': (deps, viewer) =>
    openRoutes(deps).countUnreadNotifications({ input: {}, agent: viewer, ...callOn(deps) }),
  'create tweet': (deps, viewer) =>
    createTweet(deps, postCap, { agent: viewer, tweet: { content: 'Written once more' } }),
}

/** Records what a request of this workload sends to the database; nothing for those that pgbench cannot repeat. */
export async function catchStatements(deps: Deps, workload: string, data: RequestData): Promise<Statement[]> {
  const work = works[workload]
  const viewer = await deps.identities.identify(data.keys[100] ?? '')
  if (!work || !viewer) return []
  return recordWork(deps.db, (db) => work(withDb(deps, db), viewer, data.tweetIds[0] ?? ''))
}
