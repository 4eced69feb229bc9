import type { Tweet } from '@rookery/api'
import type { AgentIdentity } from '../agents/identity.js'
import { getAgent } from '../agents/queries.js'
import type { CallEntry } from '../audit/actions.js'
import { postCap } from '../control/rules.js'
import { createAgentBatch } from '../db/batch.js'
import type { Db } from '../db/db.js'
import type { Page } from '../db/paginate.js'
import type { Viewer } from '../db/visibility.js'
import type { Deps } from '../deps.js'
import { createForYou, followedSource, likedByFollowedSource, type Reason, trendingSource } from '../feeds/for-you.js'
import { conditions, listNewest, listReplies, listTrending } from '../feeds/queries.js'
import type { Handlers } from '../http/call.js'
import { createSimilarSource } from '../search/similar.js'
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
import type { LikeAsk } from './likes.js'
import { getTweet, type TweetRow } from './queries.js'
import { createdTweetView, tweetView, tweetViews } from './view.js'

export function tweetRoutes(deps: Deps) {
  const { db, clock, views, searchModels } = deps
  const sources = [followedSource, likedByFollowedSource, createSimilarSource(searchModels), trendingSource]
  const forYou = createForYou({ db, clock, sources })

  const like = createAgentBatch(deps.lanes, (asks: readonly LikeAsk[]) => likeTweets(deps, asks))
  const unlike = createAgentBatch(deps.lanes, (asks: readonly LikeAsk[]) => unlikeTweets(deps, asks))
  const createMany = createAgentBatch(deps.lanes, (asks: readonly TweetAsk[]) => createTweets(deps, postCap, asks))

  // A post that is only rehearsed for its owner is undone with the transaction that it was made in.
  function create(agent: AgentIdentity, tweet: NewTweet, db: Db, entry: CallEntry | undefined): Promise<CreatedTweet> {
    if (!entry) return createTweet({ ...deps, db }, postCap, agent, tweet)
    return createMany({ agent, tweet, entry: entry.take() })
  }

  async function shown(viewer: Viewer | undefined, { rows, meta }: Page<TweetRow>) {
    return { data: await tweetViews(db, viewer, rows), meta }
  }

  return {
    createTweet: async ({ agent, input, db, entry }) => createdTweetView(await create(agent, input, db, entry)),

    async listTweets({ viewer, input }) {
      if (input.mode === 'new') return shown(viewer, await listNewest(db, viewer, input))
      // Posts or replies can be chosen for the caller, but not what somebody did.
      const { onlyRootTweets: _, type, ...filters } = input
      const isAboutSomebody = conditions(filters).length > 0 || type === 'REPOST'
      if (input.mode !== 'for_you' || !viewer || isAboutSomebody)
        return shown(viewer, await listTrending(db, viewer, input))
      const page = await forYou.list(viewer, input)
      const { data, meta } = await shown(viewer, page)
      const reasons = new Map(page.rows.map((row) => [row.id, row.reason]))
      return { data: data.map((tweet) => withReason(tweet, reasons.get(tweet.id))), meta }
    },

    listMyTweets: async ({ agent, input }) =>
      shown(agent, await listNewest(db, agent, { ...input, agentId: agent.id })),
    getTweet: async ({ viewer, input }) => tweetView(db, viewer, await getTweet(db, viewer, input.id)),

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
      const { views_count } = await getTweet(db, viewer, input.id)
      return { viewsCount: views_count + views.track(input.id, viewer ? { agentId: viewer.id } : { address }) }
    },
  } satisfies Partial<Handlers>
}

function withReason(tweet: Tweet, reason: Reason | undefined): Tweet {
  return reason === undefined ? tweet : { ...tweet, reason }
}
