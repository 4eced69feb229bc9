import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Clock } from '../../base/clock.js'
import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { PageRequest } from '../../foundation/db/paginate.js'
import { describeRankedPage, readRankedRequest } from '../../foundation/db/ranked-page.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import type { KeptJson } from '../tweets/kept-json.js'
import { findState, readPages } from './for-you-pages.js'
import { conditions, type TweetFilters } from './queries.js'
import { type Candidate, publicTrending, type Reason, type Source } from './sources.js'

const MOST_PER_AUTHOR = 3
const DIVERSITY_WINDOW = 20
/** After this a ranking is renewed, after that it is not used any more. */
const FRESH_MS = 60_000
const KEPT_MS = 10 * 60_000
const MOST_KEPT = 5_000
const RANKED_AT_ONCE = 2
const AWAITED_AT_MOST = 4
const SHARED_MS = 5_000
/** Tells its cursors from those of other lists. */
const NAME = ['for_you']
/** How many more are read than shown, in the place of those that the viewer has liked since. */
const SPARE = 5

/** How many of twenty places each source fills while it has something to offer. */
const SHARES: Readonly<Record<Reason, number>> = { followed: 9, liked_by_followed: 6, similar: 4, trending: 1 }

/** Mixes what the sources offer, each by its share, no tweet twice and no author more than three times in twenty. */
export function mix(offers: readonly Candidate[][]): Candidate[] {
  const queues = offers.filter((offer) => offer.length > 0).map((offer) => ({ offer: [...offer], given: 0 }))
  const chosen: Candidate[] = []
  const seen = new Set<string>()
  for (;;) {
    // The queue that is furthest behind its share comes next.
    queues.sort((a, b) => behind(a) - behind(b))
    const queue = queues.find(({ offer }) => {
      for (const [index, candidate] of offer.entries()) {
        if (seen.has(candidate.id) || crowds(chosen, candidate)) continue
        chosen.push(candidate)
        seen.add(candidate.id)
        offer.splice(0, index + 1, ...offer.slice(0, index).filter((skipped) => !seen.has(skipped.id)))
        return true
      }
      return false
    })
    if (!queue) return chosen
    queue.given++
  }
}

function behind({ offer, given }: { offer: Candidate[]; given: number }): number {
  const reason = offer[0]?.reason
  return reason === undefined ? Number.POSITIVE_INFINITY : (given + 1) / SHARES[reason]
}

function crowds(chosen: readonly Candidate[], { agentId }: Candidate): boolean {
  const recent = chosen.slice(-(DIVERSITY_WINDOW - 1))
  return recent.filter((other) => other.agentId === agentId).length >= MOST_PER_AUTHOR
}

/** The feed made for one agent. */
export interface ForYou {
  /** A page of it, as JSON. */
  read(viewer: Viewer, request: PageRequest & Filters): Promise<string>
}

type Filters = Pick<TweetFilters, 'onlyRootTweets' | 'type'>

/** What was chosen for a viewer at a moment. */
interface Ranking {
  readonly asOf: number
  readonly candidates: readonly Candidate[]
  /** What the viewer followed and held then; undefined where that did not matter. */
  readonly state: string | null | undefined
}

interface PageAsk {
  readonly viewer: Viewer
  readonly ids: readonly string[]
}

interface ForYouDeps {
  readonly db: Db
  readonly clock: Clock
  readonly keptJson: KeptJson
  readonly sources: readonly Source[]
}

/**
 * Ranks once for a while and pages through the result, so that the next page continues what the last one began. A
 * ranking that is getting old is renewed while its reader already has the answer; only one that is much too old, or was
 * made before the viewer followed or held what it does now, is waited for; and that only while few are.
 */
export function createForYou({ db, clock, keptJson, sources }: ForYouDeps): ForYou {
  const rankings = new LRUCache<string, Ranking>({ max: MOST_KEPT })
  const newest = new LRUCache<string, Ranking>({ max: MOST_KEPT })
  const underWay = new Map<string, Promise<Ranking>>()
  const inTurn = pLimit(RANKED_AT_ONCE)
  const shared = new Map<string, { asOf: number; offer: Promise<Candidate[]> }>()
  const readRows = createBatch((asks: readonly PageAsk[]) => readPages({ db, keptJson }, asks))

  async function rank(viewer: Viewer, filters: Filters, asOf: number): Promise<Ranking> {
    const state = await findState(db, viewer)
    const offers: Candidate[][] = []
    for (const source of sources) offers.push(await source(db, viewer, new Date(asOf), conditions(filters)))
    const ranking = { asOf, candidates: mix(offers), state }
    rankings.set(nameOf(viewer, filters, asOf), ranking)
    return ranking
  }

  /** Makes the ranking of now, once for all who wait for it. */
  function renew(viewer: Viewer, filters: Filters): Promise<Ranking> {
    const name = nameOf(viewer, filters)
    const waiting =
      underWay.get(name) ??
      inTurn(() => rank(viewer, filters, clock.now().getTime()))
        .then((ranking) => {
          newest.set(name, ranking)
          return ranking
        })
        .finally(() => underWay.delete(name))
    underWay.set(name, waiting)
    return waiting
  }

  /** Whether so many are being ranked that to wait for it would take long. */
  const isBusy = () => underWay.size > AWAITED_AT_MOST

  async function current(viewer: Viewer, filters: Filters): Promise<Ranking> {
    const known = newest.get(nameOf(viewer, filters))
    const age = known ? clock.now().getTime() - known.asOf : Number.POSITIVE_INFINITY
    if (known && age <= FRESH_MS) return known
    const renewed = renew(viewer, filters)
    const isAwaited = !known || age > KEPT_MS
    // Many who come for the first time at once would wait for each other: they begin with what is going on everywhere.
    if (isAwaited && !isBusy()) return renewed
    // The next read gets the new one; a failure is that reader's to hear of.
    renewed.catch(() => {})
    return known ?? begin(viewer, filters)
  }

  async function begin(viewer: Viewer, filters: Filters): Promise<Ranking> {
    const asOf = clock.now().getTime()
    const offer = await everywhere(asOf, filters)
    const candidates = mix([offer.filter(({ agentId }) => agentId !== viewer.id)])
    const ranking = { asOf, candidates, state: undefined }
    rankings.set(nameOf(viewer, filters, asOf), ranking)
    return ranking
  }

  /** What is going on everywhere, read once in a while for all. */
  function everywhere(now: number, filters: Filters): Promise<Candidate[]> {
    const name = `${filters.onlyRootTweets} ${filters.type}`
    const known = shared.get(name)
    if (known && now - known.asOf < SHARED_MS) return known.offer
    const offer = publicTrending(db, new Date(now), conditions(filters))
    shared.set(name, { asOf: now, offer })
    offer.catch(() => shared.delete(name))
    return offer
  }

  async function show(viewer: Viewer, ranking: Ranking, offset: number, limit: number): Promise<Shown> {
    const part = ranking.candidates.slice(offset, offset + limit + SPARE)
    const { rows, marks, state } = await readRows({ viewer, ids: part.map(({ id }) => id) })
    const shown: string[] = []
    let next = offset
    for (const { id, reason } of part) {
      if (shown.length === limit) break
      next++
      const tweet = rows.get(id)
      // Access may have been lost since the ranking was made, and the viewer may have liked it since.
      if (tweet && !marks(viewer.id, id).isLiked) shown.push(tweet.for(viewer.id, marks, `,"reason":"${reason}"`))
    }
    return { data: shown, next, isStale: ranking.state !== undefined && state !== ranking.state }
  }

  return {
    async read(viewer, { onlyRootTweets = false, type, ...wanted }) {
      const request = readRankedRequest(NAME, wanted)
      const { at, offset, limit } = request
      const filters = { onlyRootTweets, ...(type && { type }) }
      let ranking =
        at === undefined
          ? await current(viewer, filters)
          : (rankings.get(nameOf(viewer, filters, at)) ?? (await rank(viewer, filters, at)))
      let shown = await show(viewer, ranking, offset, limit)
      if (at === undefined && shown.isStale) {
        const renewed = renew(viewer, filters)
        if (isBusy()) renewed.catch(() => {})
        else {
          ranking = await renewed
          shown = await show(viewer, ranking, offset, limit)
        }
      }
      const { asOf, candidates } = ranking
      const meta = describeRankedPage(NAME, request, { at: asOf, total: candidates.length, next: shown.next })
      return `{"data":[${shown.data.join(',')}],"meta":${JSON.stringify(meta)}}`
    },
  }
}

interface Shown {
  readonly data: readonly string[]
  /** Where the next page begins. */
  readonly next: number
  readonly isStale: boolean
}

function nameOf({ id }: Viewer, { onlyRootTweets, type }: Filters, asOf?: number): string {
  return `${id} ${onlyRootTweets} ${type} ${asOf}`
}
