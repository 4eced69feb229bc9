import type { Tweet } from '@rookery/api'
import type { Call, Handlers } from '../../call.js'
import { ReadyJson } from '../../foundation/ready-json.js'
import type { NewTweet } from './check.js'
import { type CreatedTweet, createTweet } from './create.js'
import { deleteTweet } from './delete.js'
import { engagedPageView, listLikes, listReposts } from './engaged-agents.js'
import type { Tweets } from './open.js'
import { targetOf } from './queries.js'
import { repostOf, translateParentProblem, undoRepost } from './reposts.js'
import { createdTweetView } from './view.js'

export function tweetRoutes({ postCap, refuseRepeat, viewCounts, see, show, create, like, unlike }: Tweets) {
  // A post that its owner may have to approve has no entry: it is recorded, or rolled back, by whoever called.
  function post({ agent, deps, entry }: Call<'createTweet' | 'repostTweet'>, tweet: NewTweet): Promise<CreatedTweet> {
    if (!entry) return createTweet(deps, postCap, { agent, tweet }, refuseRepeat)
    return create({ agent, tweet, entry: entry.take() })
  }

  return {
    createTweet: async (call) => createdTweetView(call.deps.mediaUrls, await post(call, call.input)),
    getTweet: async ({ viewer, input: { id } }) => new ReadyJson<Tweet>(await show({ viewer, id })),
    likeTweet: ({ agent, input: { id }, entry }) => like({ agent, id, entry: entry?.take() }),
    unlikeTweet: ({ agent, input: { id }, entry }) => unlike({ agent, id, entry: entry?.take() }),

    async repostTweet(call) {
      const posted = post(call, repostOf(call.input)).catch((error) => {
        throw translateParentProblem(error)
      })
      return createdTweetView(call.deps.mediaUrls, await posted)
    },

    undoRepost: async ({ agent, input, deps }) => ({
      reposted: false,
      repostsCount: await undoRepost(deps, agent, input),
    }),

    async deleteTweet({ agent, input, deps }) {
      await deleteTweet(deps, agent, input)
      return { id: input.id, deleted: true }
    },

    async listLikes({ viewer, input, deps: { db } }) {
      const target = targetOf(await see({ viewer, id: input.id }))
      return engagedPageView(await listLikes(db, viewer, target, input))
    },

    async listReposts({ viewer, input, deps: { db } }) {
      const target = targetOf(await see({ viewer, id: input.id }))
      return engagedPageView(await listReposts(db, viewer, target, input))
    },

    async trackView({ viewer, agent, input, address }) {
      const read = async () => targetOf(await see({ viewer, id: input.id }))
      const onlooker = agent ? { agentId: agent.id } : { address }
      return {
        viewsCount: await viewCounts.readBeside(read, (row) => row.views_count + viewCounts.track(row.id, onlooker)),
      }
    },
  } satisfies Partial<Handlers>
}
