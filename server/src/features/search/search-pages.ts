import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import { type ChosenPage, type ChosenRequest, readChosen, readChosenApart } from '../tweets/chosen-pages.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { freeOfLabels, isNarrowed, privateCandidates, readCandidates } from './candidates.js'
import type { Ranked } from './fuse.js'
import { isFound, matchesOf, rankMatches } from './public-searches.js'
import { keyFor, questionOf, type SearchOfTweets, type TweetSearch } from './tweets.js'
import type { Model } from './vectors.js'

/** Reads pages of searches for agents, those of many agents at once. */
export interface SearchPages {
  /** Returns a page as JSON. */
  read(viewer: AgentViewer, request: TweetSearch): Promise<string>
}

/** A page of the public part of a search, and what the viewer searches for among private tweets. */
interface Seeking extends ChosenRequest {
  readonly vector: string
}

type TweetText = (extra: string) => string

export function createSearchPages(
  deps: { readonly db: Db; readonly jsonCache: TweetJsonCache },
  tweets: SearchOfTweets,
): SearchPages {
  const readMore = createBatch((requests: readonly ChosenRequest[]) => readChosen(deps, requests))
  let seeker: { readonly model: Model; readonly seek: (request: Seeking) => Promise<ChosenPage> } | undefined

  /** Finds with one statement for all who search at this moment what is on their pages and what they alone may see. */
  function seek(model: Model, request: Seeking): Promise<ChosenPage> {
    if (seeker?.model.id !== model.id) {
      const readAll = (requests: readonly Seeking[]) => {
        const vectors = requests.map(({ vector }) => vector)
        return readChosen(deps, requests, privateCandidates(model, vectors))
      }
      seeker = { model, seek: createBatch(readAll) }
    }
    return seeker.seek(request)
  }

  return {
    async read(viewer, request) {
      const question = questionOf(request)
      const labels = freeOfLabels(request)
      const texts = new Map<string, TweetText | undefined>()

      function keep(ids: readonly string[], { rows, marks }: ChosenPage): void {
        for (const id of ids) {
          const tweet = rows.get(id)
          texts.set(id, tweet && ((extra) => tweet.for(viewer.id, marks, extra)))
        }
      }

      // The page of the public part is nearly always the page, so it is read before the private part is known.
      async function rankTogether(): Promise<readonly Ranked[]> {
        const search = await tweets.searchPublic(viewer, question)
        const { page = 1, limit = 20 } = request
        const ids = search.ranking.slice((page - 1) * limit, page * limit).map(({ id }) => id)
        const { model, vector } = search.wanted
        const found = await seek(model, { viewer, ids, vector })
        keep(ids, found)
        const candidates = readCandidates(found.state)
        if (!candidates) return tweets.rankFor(viewer, question)
        // What neither has a word of the query nor is near to it has no place, and changes none.
        const matches = matchesOf(search.wanted, candidates).filter((match) => isFound(search.wanted, match))
        return matches.length === 0 ? search.ranking : rankMatches(search, [...search.matches, ...matches])
      }

      const rank = (upTo: Date | undefined) =>
        viewer.hasHidden || isNarrowed({ filters: question.filters, upTo })
          ? tweets.rankFor(viewer, question, upTo)
          : rankTogether()

      async function readRows(ids: readonly string[]) {
        const missing = ids.filter((id) => !texts.has(id))
        const chosen = { viewer, ids: missing }
        const isApart = viewer.hasHidden || labels.length > 0
        if (missing.length > 0)
          keep(missing, await (isApart ? readChosenApart(deps, chosen, { where: labels }) : readMore(chosen)))
        return new Map(
          ids.flatMap((id) => {
            const text = texts.get(id)
            return text ? [[id, text] as const] : []
          }),
        )
      }

      const page = await tweets.rankings.readListed(keyFor(viewer, question), request, rank, readRows)
      const data = page.rows.map(({ row, score, matched }) => row(`,"score":${score},"matched":"${matched}"`))
      return `{"data":[${data.join(',')}],"meta":${JSON.stringify(page.meta)}}`
    },
  }
}
