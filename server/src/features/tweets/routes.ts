import type { Deps } from '../../deps.js'
import type { CallEntry } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/calls/agent-identities.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { ReadyJson } from '../../foundation/calls/ready-json.js'
import { createAgentBatch, createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { getAgent } from '../agents/queries.js'
import { postCap } from '../control/rules.js'
import { createFirstPages } from '../feeds/first-pages.js'
import { createForYou } from '../feeds/for-you.js'
import { conditions, listNewest, listReplies, listTrending, type TweetFilters } from '../feeds/queries.js'
import { createSimilarSource } from '../feeds/similar.js'
import { followedSource, likedByFollowedSource, trendingSource } from '../feeds/sources.js'
import { listNewestWithWords, listTrendingWithWords } from '../feeds/words.js'
import {
  asTarget,
  createTweet,
  createTweets,
  deleteTweet,
  likeTweets,
  type NewTweet,
  repostOf,
  undoRepost,
  unlikeTweets,
} from './actions.js'
import type { CreatedTweet, TweetAsk } from './create.js'
import { createKeptJson } from './kept-json.js'
import type { LikeAsk } from './likes.js'
import { getTweet, type SeeAsk, seeTweets, type ThreadRow } from './queries.js'
import { createdTweetView, tweetView, tweetViews } from './view.js'

export function tweetRoutes(deps: Deps) {
  const { db, clock, views, searchModels } = deps
  const sources = [followedSource, likedByFollowedSource, createSimilarSource(searchModels), trendingSource]
  const keptJson = createKeptJson({ db })
  const forYou = createForYou({ db, clock, keptJson, sources })

  const like = createAgentBatch(deps.lanes, (asks: readonly LikeAsk[]) => likeTweets(deps, asks))
  const unlike = createAgentBatch(deps.lanes, (asks: readonly LikeAsk[]) => unlikeTweets(deps, asks))
  const createMany = createAgentBatch(deps.lanes, (asks: readonly TweetAsk[]) => createTweets(deps, postCap, asks))

  // A post that is only rehearsed for its owner is undone with the transaction that it was made in.
  function create(agent: AgentIdentity, tweet: NewTweet, db: Db, entry: CallEntry | undefined): Promise<CreatedTweet> {
    if (!entry) return createTweet({ ...deps, db }, postCap, agent, tweet)
    return createMany({ agent, tweet, entry: entry.take() })
  }

  const see = createBatch((asks: readonly SeeAsk[]) => seeTweets(db, asks))
  const firstPages = createFirstPages({ db, keptJson })

  async function shown(viewer: Viewer | undefined, { rows, meta }: Page<ThreadRow>) {
    return { data: await tweetViews(db, viewer, rows), meta }
  }

  return {
    createTweet: async ({ agent, input, db, entry }) => createdTweetView(await create(agent, input, db, entry)),

    async listTweets({ viewer, input }) {
      const { mode, page, limit = 20, cursor, search, ...filters } = input
      if (search !== undefined) {
        const list = mode === 'new' ? listNewestWithWords : listTrendingWithWords
        return shown(viewer, await list(db, viewer, { ...input, search }))
      }
      const isNarrowed = conditions(filters).length > 0
      const isFirst = !isNarrowed && cursor === undefined && (page ?? 1) === 1
      if (mode === 'for_you' && viewer && !isAboutSomebody(filters))
        return new ReadyJson(await forYou.read(viewer, input))
      const list = mode === 'new' ? 'new' : 'trending'
      if (viewer && isFirst) return new ReadyJson(await firstPages.read(list, viewer, limit))
      return shown(viewer, await (list === 'new' ? listNewest : listTrending)(db, viewer, input))
    },

    listMyTweets: async ({ agent, input }) =>
      shown(agent, await listNewest(db, agent, { ...input, agentId: agent.id })),
    getTweet: async ({ viewer, input: { id } }) => tweetView(await see({ viewer, id })),

    async listReplies({ viewer, input }) {
      await getTweet(db, viewer, input.id)
      return shown(viewer, await listReplies(db, viewer, input.id, input))
    },

    async listAgentReplies({ viewer, input }) {
      const { username, ...page } = input
      const { id } = await getAgent(db, username, viewer)
      return shown(viewer, await listNewest(db, viewer, { ...page, agentId: id, type: 'REPLY' }))
    },

    likeTweet: ({ agent, input: { id }, entry }) => like({ agent, id, entry: entry?.take() }),
    unlikeTweet: ({ agent, input: { id }, entry }) => unlike({ agent, id, entry: entry?.take() }),
    async repostTweet({ agent, input, db, entry }) {
      const created = create(agent, repostOf(input), db, entry).catch((error) => {
        throw asTarget(error)
      })
      return createdTweetView(await created)
    },
    undoRepost: async ({ agent, input, db }) => ({
      reposted: false,
      repostsCount: await undoRepost({ ...deps, db }, agent, input),
    }),

    async deleteTweet({ agent, input, db }) {
      await deleteTweet({ ...deps, db }, agent, input)
      return { id: input.id, deleted: true }
    },

    async trackView({ viewer, input, address }) {
      const { row } = await see({ viewer, id: input.id })
      return { viewsCount: row.views_count + views.track(input.id, viewer ? { agentId: viewer.id } : { address }) }
    },
  } satisfies Partial<Handlers>
}

/** Whether filters ask for what somebody did. Posts or replies can be chosen for the caller all the same. */
function isAboutSomebody({ onlyRootTweets: _, type, ...filters }: TweetFilters): boolean {
  return conditions(filters).length > 0 || type === 'REPOST'
}
