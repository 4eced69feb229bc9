import { Problem } from '../../base/problem.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import { hidingViewerId, readHidden, type Viewer, viewerKey } from '../../foundation/db/visibility.js'
import { createKept } from '../../foundation/kept.js'
import { tidyLabels } from '../agents/labels.js'
import { findTweets, type ThreadRow } from '../tweets/queries.js'
import { findPrivate, findPublic, freeOfLabels, MAX_PER_WORD, type SearchFilters } from './candidates.js'
import { createFrequencies } from './frequencies.js'
import type { Ranked } from './fuse.js'
import type { Models } from './models.js'
import { matchesOf, type PublicSearch, rankMatches, toPublicSearch } from './public-searches.js'
import { createQueryEmbedder, notReady, type SearchDeps } from './query-vectors.js'
import { createRankings } from './rankings.js'
import { cleanQuery, parseTerms } from './terms.js'

export interface TweetSearch extends PageRequest, SearchFilters {
  readonly q: string
}

export type FoundTweet = ThreadRow & Pick<Ranked, 'score' | 'matched'>

/** What a caller looks for. */
export interface Question {
  readonly query: string
  readonly filters: SearchFilters
  /** The same for all who ask it. */
  readonly key: readonly unknown[]
}

export type SearchOfTweets = ReturnType<typeof createTweetSearch>

// The candidates of all searches that are kept, about 200 bytes each.
const MOST_MATCHES = 50_000

/**
 * A search is the same for everybody but for the private tweets that one may read and for what is hidden from one. So the
 * public part is kept for a moment, and the rest is asked each time.
 */
export function createTweetSearch(deps: SearchDeps, models: Models) {
  const { db, clock } = deps
  const rankings = createRankings({ clock, cutAt: MAX_PER_WORD })
  const searches = createKept<PublicSearch>(deps, {
    name: 'searches',
    most: MOST_MATCHES,
    sizeOf: ({ matches }) => matches.length,
  })
  const frequencies = createFrequencies({ db, clock })
  const embed = createQueryEmbedder(deps)

  /** Prepares a search of what everybody may see, without what is hidden from `without`. */
  async function preparePublic(
    viewer: Viewer | undefined,
    { query, filters }: Question,
    { upTo, without }: { readonly upTo?: Date | undefined; readonly without?: Viewer | undefined } = {},
  ): Promise<() => Promise<PublicSearch>> {
    const serving = await models.findServing()
    if (!serving) throw notReady()
    const { literal: vector, floor } = await embed(serving, query, viewer)
    return async () => {
      const terms = parseTerms(query, await frequencies())
      const wanted = { query, terms, model: serving.model, vector, floor, filters, upTo }
      return toPublicSearch(wanted, await findPublic(db, wanted, without))
    }
  }

  /** The public part of a search: at most as old as a list may be that is answered without a credential. */
  async function searchPublic(viewer: Viewer | undefined, question: Question): Promise<PublicSearch> {
    const key = JSON.stringify(question.key)
    // The answer to callers without a credential is kept itself.
    const kept = viewer && searches.find(key)
    return kept ?? searches.renew(key, await preparePublic(viewer, question))
  }

  /** Takes what is hidden from the viewer out of a search. */
  async function takeHidden(
    viewer: Viewer,
    question: Question,
    search: PublicSearch,
    upTo: Date | undefined,
  ): Promise<PublicSearch> {
    if (hidingViewerId(viewer) === undefined) return search
    const asked = search.matches.map(({ agentId }) => ({ agentId, viewers: [viewer] }))
    const isHidden = await readHidden(db, asked)
    const hidden = new Set(search.matches.flatMap(({ agentId }) => (isHidden(viewer, agentId) ? [agentId] : [])))
    if (hidden.size === 0) return search
    if (!search.isFull) return { ...search, matches: search.matches.filter(({ agentId }) => !hidden.has(agentId)) }
    // Others take the places of those that are hidden.
    const make = await preparePublic(viewer, question, { upTo, without: viewer })
    if (upTo !== undefined) return make()
    const key = JSON.stringify([...question.key, viewerKey(viewer), [...hidden].sort()])
    return searches.find(key) ?? searches.renew(key, make)
  }

  /** Ranks all that the viewer may see. */
  async function rankFor(viewer: Viewer | undefined, question: Question, upTo?: Date): Promise<readonly Ranked[]> {
    const search =
      upTo === undefined
        ? await searchPublic(viewer, question)
        : await (await preparePublic(viewer, question, { upTo }))()
    if (!viewer) return search.ranking
    const [open, rows] = await Promise.all([
      takeHidden(viewer, question, search, upTo),
      findPrivate(db, { ...search.wanted, upTo }, viewer),
    ])
    if (open === search && rows.length === 0) return search.ranking
    return rankMatches(open, [...open.matches, ...matchesOf(search.wanted, rows)])
  }

  return {
    searchPublic,
    rankFor,
    rankings,
    /** Finds tweets that the viewer may see, best match first. */
    async search(viewer: Viewer | undefined, request: TweetSearch): Promise<Page<FoundTweet>> {
      const question = questionOf(request)
      const { rows, meta } = await rankings.readListed(
        keyFor(viewer, question),
        request,
        (upTo) => rankFor(viewer, question, upTo),
        (ids) => findTweets(db, viewer, ids, freeOfLabels(request)),
      )
      return { rows: rows.map(({ row, score, matched }) => ({ ...row, score, matched })), meta }
    },
  }
}

/** Identifies a ranking of one viewer. */
export const keyFor = (viewer: Viewer | undefined, { key }: Question) => [viewerKey(viewer), ...key]

export function questionOf({ q, agentId, type, since, until, excludeLabels }: TweetSearch): Question {
  const query = cleanQuery(q)
  if (query === '') throw Problem.at('q', 'must not be empty')
  const labels = tidyLabels(excludeLabels)
  const filters = {
    ...(agentId !== undefined && { agentId }),
    ...(type !== undefined && { type }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(labels !== '' && { excludeLabels: labels }),
  }
  return { query, filters, key: [query, agentId, type, since, until, labels] }
}
