import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { decodeCursor, type List, type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import { type Viewer, visibleTo } from '../../foundation/db/visibility.js'
import type { ThreadRow } from '../tweets/queries.js'
import { inSpan, newestInSpans, wordKeys } from '../tweets/spans.js'
import { isBareRepost } from '../tweets/targets.js'
import {
  agentIdQuery,
  filterConditions,
  hiddenConditions,
  includesReposts,
  type TweetFilters,
  threadColumns,
} from './queries.js'

export type WordsRequest = PageRequest & TweetFilters & { readonly search: string }

/** A tweet and its place in the list. */
export type WordsRow = ThreadRow & { readonly cursor_key: string }

type Place = Pick<WordsRow, 'id' | 'cursor_key'>

/** A total is counted at most this far beyond its page. */
const COUNTED_AHEAD = 100
/** The search by score reads the texts of at most this many tweets from the top. */
const MAX_SCANNED = raw('2000')

/** How a list by words is named in its cursors, how it is read, and in which order. */
export const wordLists = {
  new: { name: 'tweets:new', read: listNewestWithWords, compare: byId },
  trending: {
    name: 'tweets:trending',
    read: listTrendingWithWords,
    compare: (a: Place, b: Place) => Number(b.cursor_key) - Number(a.cursor_key) || byId(a, b),
  },
} as const

function byId(a: Place, b: Place): number {
  return a.id < b.id ? 1 : -1
}

export async function listNewestWithWords(
  db: Db,
  viewer: Viewer | undefined,
  request: WordsRequest,
): Promise<Page<WordsRow>> {
  const { name } = wordLists.new
  const { limit, most, cursor } = rangeOf(name, request)
  const find = await createFinder(db, viewer, request)
  const hits = cursor
    ? sql`counted as materialized (${find(most)}), hits as materialized (${find(limit + 1, cursor.id)})`
    : sql`hits as materialized (${find(most)})`
  return paginate<WordsRow>(
    db,
    {
      ...listParts(viewer),
      name,
      with: hits,
      from: sql`hits tweet`,
      order: { by: sql`tweet.id`, type: sql`uuid`, direction: 'desc' },
      total: sql`select count(*)::int as total from ${cursor ? sql`counted` : sql`hits`}`,
      countedTo: most,
    },
    request,
  )
}

/**
 * Lists the tweets with these words by score. If there are few, finds and sorts all of them. For a common word, reads
 * down from the highest score, where the best matches soon turn up. Anything else is slowest: it sorts all matches.
 */
export async function listTrendingWithWords(
  db: Db,
  viewer: Viewer | undefined,
  request: WordsRequest,
): Promise<Page<WordsRow>> {
  const { name } = wordLists.trending
  const { most, cursor } = rangeOf(name, request)
  const isSmallPart = includesReposts(request) || request.visibility === 'private'
  const find = await createFinder(
    db,
    viewer,
    request,
    includesReposts(request) ? [] : [sql`not ${isBareRepost(sql`tweet`)}`],
  )
  const order = { by: sql`tweet.score`, type: sql`double precision`, direction: 'desc' as const }
  const listHits = (hits: Sql, total: Sql, where: readonly Sql[] = []) => {
    const from = { with: sql`hits as materialized (${hits})`, from: scored, where }
    return paginate<WordsRow>(db, { ...listParts(viewer), ...from, name, order, total, countedTo: most }, request)
  }
  const count = sql`select count(*)::int as total from hits`
  const few = await listHits(find(most), count, [sql`(${count}) < ${most}`])
  if (few.meta.total < most) return few
  const total = sql`select ${few.meta.total}::int as total`
  if (!isSmallPart) {
    const best = await paginate<WordsRow>(
      db,
      {
        ...listParts(viewer),
        name,
        from: highestScores(cursor),
        where: [...conditionsOf(viewer, request), ...textConditions(request.search)],
        columns: sql`ranked.id`,
        id: sql`ranked.id`,
        order: { ...order, by: sql`ranked.score` },
        total,
        countedTo: most,
      },
      request,
    )
    // If the page is not full, there may be more matches further down.
    if (best.meta.nextCursor !== null) return best
  }
  return listHits(find(), total)
}

/** The page size of a request, how far to count, and its decoded cursor. */
export function rangeOf(name: string, { page = 1, limit = 20, cursor }: PageRequest) {
  if (cursor === undefined) return { limit, most: page * limit + COUNTED_AHEAD }
  return { limit, most: limit + COUNTED_AHEAD, cursor: decodeCursor(name, cursor) }
}

const listParts = (viewer: Viewer | undefined): Pick<List, 'columns' | 'where' | 'id' | 'around'> => ({
  columns: sql`tweet.id`,
  where: [],
  id: sql`tweet.id`,
  around: threadColumns(viewer),
})

const conditionsOf = (viewer: Viewer | undefined, request: WordsRequest) => [
  ...filterConditions(request),
  visibleTo(viewer),
  ...hiddenConditions(viewer, request),
]

const inText = (search: string) =>
  sql`to_tsvector('simple', tweet.content) @@ websearch_to_tsquery('simple', ${search})`

/** Builds a query for ids of tweets with the words: the newest `most`, only those before `before` if given; else all. */
type Finder = (most?: number, before?: string) => Sql

async function createFinder(
  db: Db,
  viewer: Viewer | undefined,
  request: WordsRequest,
  extra: readonly Sql[] = [],
): Promise<Finder> {
  const where = [...conditionsOf(viewer, request), ...extra]
  const isIndexed = await hasIndexedWord(db, request.search)
  const words = isIndexed
    ? [inText(request.search), ...keyConditions(request)]
    : [sql`(${inText(request.search)}) is true`]
  const span = spanFor(viewer, request)
  return (most, before) => {
    const within = before === undefined ? [] : [sql`tweet.id < cast(${before}::text as uuid)`]
    if (isIndexed && most !== undefined) return newestInSpans([span, ...words, ...where], within, most)
    const all = sql`select tweet.id from tweet where ${every([...words, ...where, ...within])}`
    return most === undefined ? all : sql`${all} order by tweet.id desc limit ${most}`
  }
}

function keyConditions({ type, agentId, username, parentTweetId }: WordsRequest): Sql[] {
  return wordKeys(type, [
    agentId === undefined ? undefined : sql`${agentId}::uuid`,
    username === undefined ? undefined : sql`(${agentIdQuery(username)})`,
    parentTweetId === undefined ? undefined : sql`${parentTweetId}::uuid`,
  ])
}

function spanFor(viewer: Viewer | undefined, { visibility }: WordsRequest): Sql {
  return visibility === undefined ? (viewer ? inSpan.all : inSpan.public) : inSpan[visibility]
}

// An index cannot answer a query that only excludes words, and most tweets match it.
async function hasIndexedWord(db: Db, search: string): Promise<boolean> {
  if (!search.includes('-')) return true
  const { tree } = await db.one<{ tree: string }>(
    sql`select querytree(websearch_to_tsquery('simple', ${search})) as tree`,
  )
  return tree !== 'T'
}

const scored = sql`(
  select hits.id, found.score from hits
  cross join lateral (select score from tweet_order where tweet_id = hits.id limit 1) found) tweet`

/** The tweets with the highest scores, from the cursor on if there is one. */
function highestScores(cursor?: { key: string; id: string }): Sql {
  const after = cursor
    ? sql`and (score, tweet_id) < (cast(${cursor.key}::text as double precision), cast(${cursor.id}::text as uuid))`
    : empty
  return sql`(
    select tweet_id as id, score from tweet_order where type <> 'REPOST' ${after}
    order by score desc, tweet_id desc limit ${MAX_SCANNED}) ranked
    cross join lateral (select * from tweet where tweet.id = ranked.id limit 1) tweet`
}

// Parsing a text costs ten times as much as finding a substring, so plain words are looked for first.
function textConditions(search: string): Sql[] {
  const isPlain = /^[a-z]+( [a-z]+)*$/i.test(search) && !/\bor\b/i.test(search)
  const letters = isPlain ? search.toLowerCase().split(' ') : []
  return [...letters.map((word) => sql`strpos(lower(tweet.content), ${word}) > 0`), inText(search)]
}
