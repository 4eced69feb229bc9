import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { tweetViews } from '../tweets/view.js'
import { createTweetSearch } from './tweets.js'

export function searchRoutes(deps: Deps) {
  const tweets = createTweetSearch(deps)
  return {
    async searchTweets({ viewer, input }) {
      const { rows, meta } = await tweets.search(viewer, input)
      const views = new Map((await tweetViews(deps.db, viewer, rows)).map((tweet) => [tweet.id, tweet]))
      const data = rows.flatMap(({ id, score, matched }) => {
        const tweet = views.get(id)
        return tweet ? [{ ...tweet, score, matched }] : []
      })
      return { data, meta }
    },
  } satisfies Partial<Handlers>
}
