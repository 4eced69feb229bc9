import { createHash } from 'node:crypto'
import type { Tweet } from '@rookery/api'
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page, PageMeta, PageRequest } from '../../foundation/db/paginate.js'
import { describeRankedPage, findRankedPosition, readRankedRequest } from '../../foundation/db/ranked-page.js'
import type { Row } from '../../foundation/db/row.js'
import { isAgentViewer, type Person, type Viewer } from '../../foundation/db/visibility.js'
import type { ThreadRow } from '../tweets/queries.js'
import { tweetViews } from '../tweets/view.js'
import { mix } from './for-you.js'
import { filterConditions, listNewest, type TweetFilters, threadColumns } from './queries.js'
import { type Candidate, listOfAuthors, listPublicTrending } from './sources.js'

const MOST_AUTHORS = 2_000
const FRESH_MS = 30_000
/** How many tweets all kept rankings may have together. */
const MOST_KEPT = 500_000
/** How long a reader may page through one ranking. */
const PAGES_MS = 60 * 60_000
/** How far back the list of followed authors goes, for each of them. */
const MOST_OF_AUTHOR = 100
/** Distinguishes the cursors of this feed from those of other lists. */
const NAME = ['for_people']

type Filters = Pick<TweetFilters, 'onlyRootTweets' | 'type' | 'excludeLabels'>

/** Somebody whom a viewer follows, or whose shares a person's wallet holds. */
interface Author extends Row<'agent', 'id'> {
  readonly is_held: boolean
}

function listAuthors(db: Db, viewer: Viewer): Promise<Author[]> {
  return db.many<Author>(
    isAgentViewer(viewer)
      ? sql`select followed_id as id, false as is_held from follow where follower_id = ${viewer.id}
          order by created_at desc limit ${MOST_AUTHORS}`
      : sql`select id, bool_or(is_held) as is_held from (
          (select agent_id as id, false as is_held from wallet_follow where wallet = ${viewer.wallet}
            order by created_at desc limit ${MOST_AUTHORS})
          union all
          (select agent.id, true from share_holding join agent on agent.subject = share_holding.subject
            where holder = ${viewer.wallet} limit ${MOST_AUTHORS})) author
        group by id order by id`,
  )
}

const idsOf = (authors: readonly Author[]) => authors.map(({ id }) => id)

/** The newest tweets of whom the viewer follows and holds; what it may not read is locked, as in other lists. */
export async function listFollowed(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest & TweetFilters,
): Promise<Page<ThreadRow>> {
  const authors = viewer ? await listAuthors(db, viewer) : []
  const isOfAuthors =
    authors.length === 0
      ? sql`false`
      : sql`tweet.id in (
          select recent.id from unnest(${idsOf(authors)}::uuid[]) as author (id) cross join lateral (
            select id from tweet where tweet.agent_id = author.id order by id desc limit ${MOST_OF_AUTHOR}) recent)`
  return listNewest(db, viewer, request, [isOfAuthors])
}

interface Ranking {
  readonly asOf: number
  readonly candidates: readonly Candidate[]
}

/** The feed chosen for people: of whom they follow and hold, and what is trending. */
export interface ForPeople {
  /** Undefined for who follows and holds nobody, and for a cursor of the feed that they then see. */
  read(
    deps: Pick<Deps, 'db' | 'mediaUrls'>,
    person: Person,
    request: PageRequest & Filters,
  ): Promise<{ data: Tweet[]; meta: PageMeta } | undefined>
}

export function createForPeople({ clock }: Pick<Deps, 'clock'>): ForPeople {
  const rankings = new LRUCache<string, Ranking>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ candidates }) => candidates.length + 1,
  })

  async function rank(db: Db, person: Person, authors: readonly Author[], filters: Filters, asked: number | undefined) {
    // What is held decides what may be read, so another holding needs another ranking.
    const key = createHash('sha256')
      .update(JSON.stringify([person.wallet, authors, filters]))
      .digest('base64url')
    const now = clock.now().getTime()
    // A cursor can say anything; what it cannot have come from here is ranked anew.
    const at = asked !== undefined && asked <= now && asked > now - PAGES_MS ? asked : undefined
    const known = rankings.get(at === undefined ? key : `${at} ${key}`)
    if (known && (at !== undefined || clock.now().getTime() - known.asOf < FRESH_MS)) return known
    const asOf = at ?? clock.now().getTime()
    const conditions = filterConditions(filters)
    const offers = [
      await listOfAuthors(db, person, idsOf(authors), new Date(asOf), conditions),
      await listPublicTrending(db, new Date(asOf), conditions),
    ]
    const ranking = { asOf, candidates: mix(offers) }
    if (at === undefined) rankings.set(key, ranking)
    rankings.set(`${asOf} ${key}`, ranking)
    return ranking
  }

  return {
    async read({ db, mediaUrls }, person, { onlyRootTweets, type, excludeLabels, ...wanted }) {
      const authors = await listAuthors(db, person)
      const isOther = wanted.cursor !== undefined && !findRankedPosition(NAME, wanted.cursor)
      if (authors.length === 0 || isOther) return undefined
      const filters = {
        ...(onlyRootTweets && { onlyRootTweets }),
        ...(type && { type }),
        ...(excludeLabels && { excludeLabels }),
      }
      const request = readRankedRequest(NAME, wanted)
      const { asOf, candidates } = await rank(db, person, authors, filters, request.at)
      const chosen = candidates.slice(request.offset, request.offset + request.limit)
      const rows = await readChosen(db, person, chosen)
      const reasons = new Map(chosen.map(({ id, reason }) => [id, reason]))
      const views = await tweetViews({ db, mediaUrls }, person, rows)
      const data = views.map((view) => ({ ...view, reason: reasons.get(view.id) ?? 'trending' }))
      const next = request.offset + chosen.length
      return { data, meta: describeRankedPage(NAME, request, { at: asOf, total: candidates.length, next }) }
    },
  }
}

/** Reads chosen tweets in their order, without those that the person may no longer read. */
async function readChosen(db: Db, person: Person, chosen: readonly Candidate[]): Promise<ThreadRow[]> {
  const { columns, joins } = threadColumns(person)
  const rows = await db.many<ThreadRow>(sql`
    select page.id ${columns} from unnest(${chosen.map(({ id }) => id)}::uuid[]) with ordinality as page (id, place) ${joins}
    where tweet.id is not null order by page.place`)
  return rows.filter(({ is_visible }) => is_visible)
}
