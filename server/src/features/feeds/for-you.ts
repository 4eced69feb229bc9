import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Clock } from '../../base/clock.js'
import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { PageRequest } from '../../foundation/db/paginate.js'
import { describeRankedPage, readRankedRequest } from '../../foundation/db/ranked-page.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import { tidyLabels } from '../agents/labels.js'
import { type ChosenRequest, readChosen, readChosenApart } from '../tweets/chosen-pages.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { findState, stateOf } from './for-you-state.js'
import { filterConditions, type TweetFilters } from './queries.js'
import {
  type Candidate,
  listCandidates,
  listPublicTrending,
  listUnwanted,
  MAX_PER_SOURCE,
  type Reason,
  type Source,
} from './sources.js'

const MAX_PER_AUTHOR = 3
const DIVERSITY_WINDOW = 20
/** A ranking older than this is renewed in the background. */
const FRESH_MS = 60_000
/** A ranking older than this is not served. */
const MAX_AGE_MS = 10 * 60_000
/** How many chosen tweets are kept, about a hundred bytes each: for the first pages of viewers, and for the pages after them. */
const MOST_NEWEST = 500_000
const MOST_PAGED = 100_000
const MAX_CONCURRENT = 2
const MAX_AWAITED = 4
const TRENDING_MS = 5_000
/** Callers combine filters freely, and each combination has trending tweets of its own. */
const MOST_TRENDING = 50
/** More than one ranking shows, for viewers who have liked most of the first. */
const MOST_OF_TRENDING = 1_000
/** Distinguishes the cursors of this feed from those of other lists. */
const NAME = ['for_you']
/** Extra tweets to read, to replace those that the viewer has liked since the ranking. */
const SPARE = 5

/** How many of twenty places each source fills while it has candidates. */
const SHARES: Readonly<Record<Reason, number>> = { followed: 9, liked_by_followed: 6, similar: 4, trending: 1 }
const REASONS = Object.keys(SHARES)

/** Mixes the candidates of the sources by their shares, with no tweet twice and no author more than three times in twenty. */
export function mix(offers: readonly Candidate[][]): Candidate[] {
  const queues = offers.filter((offer) => offer.length > 0).map((offer) => ({ offer: [...offer], given: 0 }))
  const chosen: Candidate[] = []
  const seen = new Set<string>()
  /** How many of the last places each author has. */
  const recent = new Map<string, number>()
  const count = ({ agentId }: Candidate, change: number) => recent.set(agentId, (recent.get(agentId) ?? 0) + change)
  for (;;) {
    // The queue furthest behind its share comes next.
    queues.sort((a, b) => progress(a) - progress(b))
    const queue = queues.find(({ offer }) => {
      for (let index = 0; index < offer.length; ) {
        const candidate = offer[index] as Candidate
        if (!seen.has(candidate.id) && (recent.get(candidate.agentId) ?? 0) >= MAX_PER_AUTHOR) {
          index++
          continue
        }
        offer.splice(index, 1)
        if (seen.has(candidate.id)) continue
        seen.add(candidate.id)
        count(candidate, 1)
        const first = chosen[chosen.push(candidate) - DIVERSITY_WINDOW]
        if (first) count(first, -1)
        return true
      }
      return false
    })
    if (!queue) return chosen
    queue.given++
  }
}

/** What trends for a viewer: the first tweets of both lists without the unwanted tweets and authors. */
function mergeTrending(
  publicOnes: readonly Candidate[],
  privateOnes: readonly Candidate[],
  unwanted: ReadonlySet<string>,
): Candidate[] {
  return [...publicOnes.filter(({ id, agentId }) => !unwanted.has(id) && !unwanted.has(agentId)), ...privateOnes]
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PER_SOURCE)
}

function progress({ offer, given }: { offer: Candidate[]; given: number }): number {
  const reason = offer[0]?.reason
  return reason === undefined ? Number.POSITIVE_INFINITY : (given + 1) / SHARES[reason]
}

/** The personal feed of an agent. */
export interface ForYou {
  /** Returns a page as JSON. */
  read(viewer: AgentViewer, request: PageRequest & Filters): Promise<string>
}

type Filters = Pick<TweetFilters, 'onlyRootTweets' | 'type' | 'excludeLabels'>

/** What is kept of a candidate. */
type Chosen = Pick<Candidate, 'id' | 'reason'>

/** The candidates chosen for a viewer at `asOf`. */
interface Ranking {
  readonly asOf: number
  readonly candidates: readonly Chosen[]
  /** The viewer's `state` at that time; undefined if the ranking does not depend on it. */
  readonly state: string | null | undefined
}

interface ForYouDeps {
  readonly db: Db
  readonly clock: Clock
  readonly jsonCache: TweetJsonCache
  readonly sources: readonly Source[]
}

/**
 * Caches rankings and pages through them, so that the next page continues where the last one ended. A ranking older
 * than `FRESH_MS` is served and renewed in the background. A caller waits for a new ranking only if the cached one is
 * older than `MAX_AGE_MS` or predates a change of the viewer's follows or holdings, and only while few others wait.
 */
export function createForYou({ db, clock, jsonCache, sources }: ForYouDeps): ForYou {
  const rankings = keepRankings(MOST_PAGED)
  const newest = keepRankings(MOST_NEWEST)
  const pending = new Map<string, Promise<Ranking>>()
  const limitConcurrency = pLimit(MAX_CONCURRENT)
  const trending = new LRUCache<string, { asOf: number; offer: Promise<Candidate[]> }>({ max: MOST_TRENDING })
  const readRows = createBatch((requests: readonly ChosenRequest[]) => readChosen({ db, jsonCache }, requests, stateOf))

  async function rank(viewer: AgentViewer, filters: Filters, asOf: number): Promise<Ranking> {
    const publicTrending = await getTrending(filters)
    const now = new Date(asOf)
    const state = await findState(db, viewer)
    const unwanted = await listUnwanted(db, viewer, now)
    const found = await listCandidates(db, sources, viewer, now, filterConditions(filters))
    const offers = REASONS.map((reason) => found.filter((candidate) => candidate.reason === reason))
    offers.push(mergeTrending(publicTrending, offers.pop() ?? [], unwanted))
    const ranking = { asOf, candidates: chosenOf(mix(offers)), state }
    rankings.set(keyOf(viewer, filters, asOf), ranking)
    return ranking
  }

  /** Creates a new ranking; concurrent callers share one. */
  function renew(viewer: AgentViewer, filters: Filters): Promise<Ranking> {
    const key = keyOf(viewer, filters)
    const renewal =
      pending.get(key) ??
      limitConcurrency(() => rank(viewer, filters, clock.now().getTime()))
        .then((ranking) => {
          newest.set(key, ranking)
          return ranking
        })
        .finally(() => pending.delete(key))
    pending.set(key, renewal)
    return renewal
  }

  /** Whether so many rankings are pending that waiting for one would take long. */
  const isBusy = () => pending.size > MAX_AWAITED

  async function getCurrent(viewer: AgentViewer, filters: Filters): Promise<Ranking> {
    const cached = newest.get(keyOf(viewer, filters))
    const age = cached ? clock.now().getTime() - cached.asOf : Number.POSITIVE_INFINITY
    if (cached && age <= FRESH_MS) return cached
    const renewed = renew(viewer, filters)
    const isAwaited = !cached || age > MAX_AGE_MS
    // Many first-time readers at once would wait for each other: they start with the public trending tweets.
    if (isAwaited && !isBusy()) return renewed
    // The next read gets the new ranking; if this fails, that read tries again.
    renewed.catch(() => {})
    return cached ?? rankPublic(viewer, filters)
  }

  async function rankPublic(viewer: AgentViewer, filters: Filters): Promise<Ranking> {
    const asOf = clock.now().getTime()
    const offer = mergeTrending(await getTrending(filters), [], new Set([viewer.id]))
    const candidates = chosenOf(mix([offer]))
    const ranking = { asOf, candidates, state: undefined }
    rankings.set(keyOf(viewer, filters, asOf), ranking)
    return ranking
  }

  /** The public trending tweets, cached for all viewers. */
  function getTrending(filters: Filters): Promise<Candidate[]> {
    const now = clock.now().getTime()
    const key = `${filters.onlyRootTweets} ${filters.type} ${filters.excludeLabels}`
    const cached = trending.get(key)
    if (cached && now - cached.asOf < TRENDING_MS) return cached.offer
    const offer = listPublicTrending(db, new Date(now), filterConditions(filters), MOST_OF_TRENDING)
    trending.set(key, { asOf: now, offer })
    offer.catch(() => trending.delete(key))
    return offer
  }

  async function readSlice(viewer: AgentViewer, ranking: Ranking, offset: number, limit: number): Promise<Slice> {
    const candidates = ranking.candidates.slice(offset, offset + limit + SPARE)
    const chosen = { viewer, ids: candidates.map(({ id }) => id) }
    const { rows, marks, state } = viewer.hasHidden
      ? await readChosenApart({ db, jsonCache }, chosen, { stateOf })
      : await readRows(chosen)
    const data: string[] = []
    let next = offset
    for (const { id, reason } of candidates) {
      if (data.length === limit) break
      next++
      const tweet = rows.get(id)
      // Since the ranking was made, the viewer may have lost access to the tweet, liked it, or blocked or muted its author.
      if (tweet && !marks(viewer.id, id).isLiked) data.push(tweet.for(viewer.id, marks, `,"reason":"${reason}"`))
    }
    return { data, next, isStale: ranking.state !== undefined && state !== ranking.state }
  }

  return {
    async read(viewer, { onlyRootTweets = false, type, excludeLabels, ...wanted }) {
      const request = readRankedRequest(NAME, wanted)
      const { at, offset, limit } = request
      const labels = tidyLabels(excludeLabels)
      const filters = { onlyRootTweets, ...(type && { type }), ...(labels !== '' && { excludeLabels: labels }) }
      let ranking =
        at === undefined
          ? await getCurrent(viewer, filters)
          : (rankings.get(keyOf(viewer, filters, at)) ?? (await rank(viewer, filters, at)))
      let slice = await readSlice(viewer, ranking, offset, limit)
      if (at === undefined && slice.isStale) {
        const renewed = renew(viewer, filters)
        if (isBusy()) renewed.catch(() => {})
        else {
          ranking = await renewed
          slice = await readSlice(viewer, ranking, offset, limit)
        }
      }
      const { asOf, candidates } = ranking
      const meta = describeRankedPage(NAME, request, { at: asOf, total: candidates.length, next: slice.next })
      return `{"data":[${slice.data.join(',')}],"meta":${JSON.stringify(meta)}}`
    },
  }
}

/** Keeps rankings with at most this many tweets in all. One that is gone is made again, so keeping few is no loss. */
export function keepRankings(most: number): LRUCache<string, Ranking> {
  return new LRUCache({ maxSize: most, sizeCalculation: ({ candidates }) => candidates.length + 1 })
}

function chosenOf(candidates: readonly Candidate[]): Chosen[] {
  return candidates.map(({ id, reason }) => ({ id, reason }))
}

interface Slice {
  readonly data: readonly string[]
  /** The offset of the next page. */
  readonly next: number
  readonly isStale: boolean
}

function keyOf({ id }: AgentViewer, { onlyRootTweets, type, excludeLabels }: Filters, asOf?: number): string {
  return `${id} ${onlyRootTweets} ${type} ${excludeLabels} ${asOf}`
}
