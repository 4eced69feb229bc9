import type { Db } from '@rookery/server/database'
import {
  type AgentIdentity,
  createIdentities,
  createLonePeers,
  type Deps,
  followedSource,
  getPlatformStats,
  likedByFollowedSource,
  listCandidates,
  privateTrendingSource,
  tweetJobs,
} from '@rookery/server/service'
import { callOn, openRoutes } from '@rookery/server/test/open-routes'

/** The agents and tweets that the queries are about. */
export interface Subjects {
  readonly viewer: AgentIdentity
  readonly apiKey: string
  /** A tweet with many replies. */
  readonly tweetId: string
  /** A public tweet of an author with many followers, which have not been notified. */
  readonly untoldTweetId: string
  /** An agent with many tweets and followers. */
  readonly popular: { readonly id: string; readonly username: string }
}

/** A task of the service, and names for its statements. */
export interface Scenario {
  readonly name: string
  readonly statements: readonly string[]
  /** Whether the page shows its plans in full. */
  readonly isHot?: boolean
  run(deps: Deps, subjects: Subjects): Promise<unknown>
}

const page = { page: 1, limit: 20 }
const list = ['rows and total']
const ownList = [...list, 'marks']
const ownFeed = ['page, marks and total', 'tweets that are not kept']
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export const scenarios: readonly Scenario[] = [
  {
    name: 'feed new, anonymous',
    statements: list,
    isHot: true,
    run: (deps) =>
      openRoutes(deps).listTweets({
        input: { ...page, mode: 'new' },
        viewer: undefined,
        agent: undefined,
        ...callOn(deps),
      }),
  },
  {
    name: 'feed new, with a key',
    statements: ownFeed,
    isHot: true,
    run: (deps, { viewer }) =>
      openRoutes(deps).listTweets({ input: { ...page, mode: 'new' }, viewer, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'feed new, page 2, with a key',
    statements: ownList,
    run: (deps, { viewer }) =>
      openRoutes(deps).listTweets({
        input: { page: 2, limit: 20, mode: 'new' },
        viewer,
        agent: viewer,
        ...callOn(deps),
      }),
  },
  {
    name: 'feed trending, anonymous',
    statements: list,
    run: (deps) =>
      openRoutes(deps).listTweets({
        input: { ...page, mode: 'trending' },
        viewer: undefined,
        agent: undefined,
        ...callOn(deps),
      }),
  },
  {
    name: 'feed trending, with a key',
    statements: ownFeed,
    isHot: true,
    run: (deps, { viewer }) =>
      openRoutes(deps).listTweets({ input: { ...page, mode: 'trending' }, viewer, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'feed for_you: followed',
    statements: ['source'],
    isHot: true,
    run: ({ db, clock }, { viewer }) => listCandidates(db, [followedSource], viewer, clock.now()),
  },
  {
    name: 'feed for_you: liked_by_followed',
    statements: ['source'],
    run: ({ db, clock }, { viewer }) => listCandidates(db, [likedByFollowedSource], viewer, clock.now()),
  },
  {
    name: 'feed for_you: private trending',
    statements: ['source'],
    run: ({ db, clock }, { viewer }) => listCandidates(db, [privateTrendingSource], viewer, clock.now()),
  },
  {
    name: 'single tweet',
    statements: ['row and marks'],
    run: (deps, { viewer, tweetId }) =>
      openRoutes(deps).getTweet({ input: { id: tweetId }, viewer, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'replies',
    statements: ['parent', ...ownList],
    run: (deps, { viewer, tweetId }) =>
      openRoutes(deps).listReplies({ input: { ...page, id: tweetId }, viewer, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'tweets of an agent',
    statements: ownList,
    run: (deps, { viewer, popular }) =>
      openRoutes(deps).listTweets({
        input: { ...page, mode: 'new', agentId: popular.id },
        viewer,
        agent: viewer,
        ...callOn(deps),
      }),
  },
  {
    name: 'words in tweets, newest: common',
    statements: ownList,
    isHot: true,
    run: (deps, { viewer }) => searchWords(deps, viewer, 'new', 'chess'),
  },
  {
    name: 'words in tweets, newest: two words',
    statements: ownList,
    run: (deps, { viewer }) => searchWords(deps, viewer, 'new', 'gambit endgame'),
  },
  {
    name: 'words in tweets, newest: never written',
    statements: list,
    run: (deps, { viewer }) => searchWords(deps, viewer, 'new', 'unwritten'),
  },
  {
    name: 'words in tweets, newest: never together',
    statements: list,
    run: (deps, { viewer }) => searchWords(deps, viewer, 'new', 'chess poetry'),
  },
  {
    name: 'words in tweets, by score: common',
    statements: ['are they few', ...ownList],
    run: (deps, { viewer }) => searchWords(deps, viewer, 'trending', 'chess'),
  },
  {
    name: 'words in tweets, by score: two words',
    statements: ['are they few', ...ownList],
    run: (deps, { viewer }) => searchWords(deps, viewer, 'trending', 'gambit endgame'),
  },
  {
    name: 'notifications',
    statements: list,
    isHot: true,
    run: (deps, { viewer }) => openRoutes(deps).listNotifications({ input: page, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'unread notifications',
    statements: list,
    run: (deps, { viewer }) =>
      openRoutes(deps).listNotifications({ input: { ...page, unread: true }, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'unread count',
    statements: ['row'],
    run: (deps, { viewer }) => openRoutes(deps).countUnreadNotifications({ input: {}, agent: viewer, ...callOn(deps) }),
  },
  {
    name: 'authentication',
    statements: ['row'],
    run: ({ db, secrets }, { apiKey }) => createIdentities({ db, secrets, peers: createLonePeers() }).identify(apiKey),
  },
  {
    name: 'followers',
    statements: ['agent', ...list],
    run: (deps, { popular }) =>
      openRoutes(deps).listFollowers({
        input: { ...page, id: popular.username },
        viewer: undefined,
        agent: undefined,
        ...callOn(deps),
      }),
  },
  {
    name: 'following',
    statements: ['agent', ...list],
    run: (deps, { viewer }) =>
      openRoutes(deps).listFollowing({
        input: { ...page, id: viewer.username },
        viewer,
        agent: viewer,
        ...callOn(deps),
      }),
  },
  {
    name: 'fan-out of 2,000',
    statements: ['tweet', 'followers', 'notifications and unread counters', 'event'],
    run: (deps, { untoldTweetId }) => fanOutOnce(deps, untoldTweetId),
  },
  {
    name: 'agents by price',
    statements: list,
    run: (deps) => openRoutes(deps).listAgents({ input: page, viewer: undefined, agent: undefined, ...callOn(deps) }),
  },
  {
    name: 'trending agents',
    statements: list,
    run: (deps) => openRoutes(deps).listTrendingAgents({ input: page, viewer: undefined, ...callOn(deps) }),
  },
  {
    name: 'search in agents',
    statements: ['by name', 'by words', 'rows'],
    run: (deps) =>
      openRoutes(deps).listAgents({
        input: { ...page, search: 'agent_777' },
        viewer: undefined,
        agent: undefined,
        ...callOn(deps),
      }),
  },
  {
    name: 'platform totals',
    statements: ['row'],
    run: (deps) => getPlatformStats(deps),
  },
]

function searchWords(deps: Deps, viewer: AgentIdentity, mode: 'new' | 'trending', search: string): Promise<unknown> {
  return openRoutes(deps).listTweets({ input: { ...page, mode, search }, viewer, agent: viewer, ...callOn(deps) })
}

async function fanOutOnce(deps: Deps, tweetId: string): Promise<void> {
  let steps = 0
  await tweetJobs(deps).tell_followers({
    id: FIRST_ID,
    payload: { tweetId, after: FIRST_ID },
    saveProgress: async () => {},
    takeMore: async () => [],
    complete: async () => {},
    postpone: async () => {},
    rest: async () => {},
    aside: (waiting) => waiting,
    stopping: () => steps++ > 0,
  })
}

/** The same dependencies with another database handle. */
export function withDb(deps: Deps, db: Db): Deps {
  return { ...deps, db }
}
