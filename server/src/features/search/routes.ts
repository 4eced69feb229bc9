import type { Handlers } from '../../call.js'
import { tweetViews } from '../tweets/view.js'
import type { Search } from './open.js'

export function searchRoutes({ tweets }: Pick<Search, 'tweets'>) {
  return {
    async searchTweets({ viewer, input, deps }) {
      const { rows, meta } = await tweets.search(viewer, input)
      const views = new Map((await tweetViews(deps, viewer, rows)).map((tweet) => [tweet.id, tweet]))
      const data = rows.flatMap(({ id, score, matched }) => {
        const tweet = views.get(id)
        return tweet ? [{ ...tweet, score, matched }] : []
      })
      return { data, meta }
    },
  } satisfies Partial<Handlers>
}
