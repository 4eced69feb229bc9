import type { Handlers } from '../../call.js'
import { ReadyJson } from '../../foundation/ready-json.js'
import { tweetViews } from '../tweets/view.js'
import type { Search } from './open.js'

export function searchRoutes({ tweets, pages }: Pick<Search, 'tweets' | 'pages'>) {
  return {
    async searchTweets({ viewer, agent, input, deps }) {
      if (agent) return new ReadyJson(await pages.read(agent, input))
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
