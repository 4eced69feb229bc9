import { LRUCache } from 'lru-cache'
import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import { type ChosenRequest, readChosen, readChosenApart, readsPrivate } from '../tweets/chosen-pages.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { freeOfLabels } from './candidates.js'
import { keyFor, questionOf, type SearchOfTweets, type TweetSearch } from './tweets.js'

/** Reads pages of searches for agents, those of many agents at once. */
export interface SearchPages {
  /** Returns a page as JSON. */
  read(viewer: AgentViewer, request: TweetSearch): Promise<string>
}

/** How many agents are remembered as readers of private tweets. */
const MOST_READERS = 10_000

export function createSearchPages(
  deps: { readonly db: Db; readonly jsonCache: TweetJsonCache },
  tweets: SearchOfTweets,
): SearchPages {
  const readTogether = createBatch((requests: readonly ChosenRequest[]) => readChosen(deps, requests, readsPrivate))
  // Most agents may read no private tweet, so the page is read before it is known. For these it was otherwise the last time.
  const readers = new LRUCache<string, true>({ max: MOST_READERS })

  return {
    async read(viewer, request) {
      const question = questionOf(request)
      const labels = freeOfLabels(request)
      let isReader: boolean | undefined

      async function readRows(ids: readonly string[]) {
        const chosen = { viewer, ids }
        const isApart = viewer.hasHidden || labels.length > 0
        const { rows, marks, state } = await (isApart
          ? readChosenApart(deps, chosen, readsPrivate, labels)
          : readTogether(chosen))
        isReader = state !== null
        if (isReader) readers.set(viewer.id, true)
        else readers.delete(viewer.id)
        return new Map(
          ids.flatMap((id) => {
            const tweet = rows.get(id)
            return tweet ? [[id, (extra: string) => tweet.for(viewer.id, marks, extra)] as const] : []
          }),
        )
      }

      const key = keyFor(viewer, question)
      let isAlone = viewer.hasHidden || readers.has(viewer.id)
      let isPublic = false
      const rank = async (upTo: Date | undefined) => {
        isPublic = upTo === undefined && !isAlone
        return isPublic ? (await tweets.searchPublic(viewer, question)).ranking : tweets.rankFor(viewer, question, upTo)
      }
      let page = await tweets.rankings.readListed(key, request, rank, readRows)
      // A page without tweets was not read, so it is not known either.
      if (isPublic && isReader !== false) {
        isAlone = true
        tweets.rankings.forget(key)
        page = await tweets.rankings.readListed(key, request, rank, readRows)
      }
      const data = page.rows.map(({ row, score, matched }) => row(`,"score":${score},"matched":"${matched}"`))
      return `{"data":[${data.join(',')}],"meta":${JSON.stringify(page.meta)}}`
    },
  }
}
