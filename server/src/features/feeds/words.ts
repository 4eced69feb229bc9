import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { decodeCursor, type List, type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import { type Viewer, visibleTo } from '../../foundation/db/visibility.js'
import type { ThreadRow } from '../tweets/queries.js'
import { inSpan, newestInSpans, wordKeys } from '../tweets/spans.js'
import { agentNamed, conditions, shownTweet, type TweetFilters, wantsReposts } from './queries.js'

type Request = PageRequest & TweetFilters & { readonly search: string }

/** How far a total is counted beyond its page. */
const COUNTED_AHEAD = 100
/** Of how many tweets with the highest scores the text is read. */
const MOST_WALKED = raw('2000')

/** Tweets with certain words, newest first. */
export async function listNewestWithWords(
  db: Db,
  viewer: Viewer | undefined,
  request: Request,
): Promise<Page<ThreadRow>> {
  const name = 'tweets:new'
  const { limit, most, cursor } = reachOf(name, request)
  const find = await finder(db, viewer, request)
  const hits = cursor
    ? sql`counted as materialized (${find(most)}), hits as materialized (${find(limit + 1, cursor.id)})`
    : sql`hits as materialized (${find(most)})`
  return paginate<ThreadRow>(
    db,
    {
      ...listed(viewer),
      name,
      with: hits,
      from: sql`hits tweet`,
      order: { by: sql`tweet.id`, type: sql`uuid`, direction: 'desc' },
      total: sql`select count(*)::int as total from ${cursor ? sql`counted` : sql`hits`}`,
    },
    request,
  )
}

/**
 * Tweets with certain words, by score. Where they are few, all are found and put in order. Of a common word the best are
 * met soon on the way down from the highest score. What is neither takes the longest: all that have the words.
 */
export async function listTrendingWithWords(
  db: Db,
  viewer: Viewer | undefined,
  request: Request,
): Promise<Page<ThreadRow>> {
  const name = 'tweets:trending'
  const { most, cursor } = reachOf(name, request)
  const isSmallPart = wantsReposts(request) || request.visibility === 'private'
  const find = await finder(db, viewer, request, wantsReposts(request) ? [] : [sql`tweet.type <> 'REPOST'`])
  const order = { by: sql`tweet.score`, type: sql`double precision`, direction: 'desc' as const }
  const listHits = (hits: Sql, total: Sql, where: readonly Sql[] = []) => {
    const from = { with: sql`hits as materialized (${hits})`, from: scored, where }
    return paginate<ThreadRow>(db, { ...listed(viewer), ...from, name, order, total }, request)
  }
  const count = sql`select count(*)::int as total from hits`
  const few = await listHits(find(most), count, [sql`(${count}) < ${most}`])
  if (few.meta.total < most) return few
  const total = sql`select ${few.meta.total}::int as total`
  if (!isSmallPart) {
    const best = await paginate<ThreadRow>(
      db,
      {
        ...listed(viewer),
        name,
        from: highest(cursor),
        where: [...conditionsOf(viewer, request), ...readWords(request.search)],
        columns: sql`ranked.id`,
        id: sql`ranked.id`,
        order: { ...order, by: sql`ranked.score` },
        total,
      },
      request,
    )
    // With less than a full page, some may be further down.
    if (best.meta.nextCursor !== null) return best
  }
  return listHits(find(), total)
}

/** What is asked for: the items of a page, how many are counted, and what a cursor says. */
function reachOf(name: string, { page = 1, limit = 20, cursor }: PageRequest) {
  if (cursor === undefined) return { limit, most: page * limit + COUNTED_AHEAD }
  return { limit, most: limit + COUNTED_AHEAD, cursor: decodeCursor(name, cursor) }
}

const listed = (viewer: Viewer | undefined): Pick<List, 'columns' | 'where' | 'id' | 'around'> => ({
  columns: sql`tweet.id`,
  where: [],
  id: sql`tweet.id`,
  around: shownTweet(viewer),
})

const conditionsOf = (viewer: Viewer | undefined, request: Request) => [...conditions(request), visibleTo(viewer)]

const inText = (search: string) =>
  sql`to_tsvector('simple', tweet.content) @@ websearch_to_tsquery('simple', ${search})`

/** Finds ids of tweets with words: as many as `most` says from the newest on, or from `before` on; else all of them. */
type Finder = (most?: number, before?: string) => Sql

async function finder(
  db: Db,
  viewer: Viewer | undefined,
  request: Request,
  narrow: readonly Sql[] = [],
): Promise<Finder> {
  const where = [...conditionsOf(viewer, request), ...narrow]
  const isIndexed = await hasIndexedWord(db, request.search)
  const words = isIndexed ? [inText(request.search), ...keys(request)] : [sql`(${inText(request.search)}) is true`]
  const span = spanFor(viewer, request)
  return (most, before) => {
    const within = before === undefined ? [] : [sql`tweet.id < cast(${before}::text as uuid)`]
    if (isIndexed && most !== undefined) return newestInSpans([span, ...words, ...where], within, most)
    const all = sql`select tweet.id from tweet where ${every([...words, ...where, ...within])}`
    return most === undefined ? all : sql`${all} order by tweet.id desc limit ${most}`
  }
}

function keys({ type, agentId, username, parentTweetId }: Request): Sql[] {
  return wordKeys(type, [
    agentId === undefined ? undefined : sql`${agentId}::uuid`,
    username === undefined ? undefined : sql`(${agentNamed(username)})`,
    parentTweetId === undefined ? undefined : sql`${parentTweetId}::uuid`,
  ])
}

function spanFor(viewer: Viewer | undefined, { visibility }: Request): Sql {
  return visibility === undefined ? (viewer ? inSpan.all : inSpan.public) : inSpan[visibility]
}

// A query that only says what is not in a text cannot be answered by an index, and most tweets fit it.
async function hasIndexedWord(db: Db, search: string): Promise<boolean> {
  if (!search.includes('-')) return true
  const { tree } = await db.one<{ tree: string }>(
    sql`select querytree(websearch_to_tsquery('simple', ${search})) as tree`,
  )
  return tree !== 'T'
}

/** Hits with their scores. */
const scored = sql`(
  select hits.id, found.score from hits
  cross join lateral (select score from tweet_order where tweet_id = hits.id limit 1) found) tweet`

/** The tweets with the highest scores, or the next after a cursor. */
function highest(cursor?: { key: string; id: string }): Sql {
  const after = cursor
    ? sql`and (score, tweet_id) < (cast(${cursor.key}::text as double precision), cast(${cursor.id}::text as uuid))`
    : empty
  return sql`(
    select tweet_id as id, score from tweet_order where type <> 'REPOST' ${after}
    order by score desc, tweet_id desc limit ${MOST_WALKED}) ranked
    cross join lateral (select * from tweet where tweet.id = ranked.id limit 1) tweet`
}

// To take a text apart costs ten times as much as to look for letters in it.
function readWords(search: string): Sql[] {
  const isPlain = /^[a-z]+( [a-z]+)*$/i.test(search) && !/\bor\b/i.test(search)
  const letters = isPlain ? search.toLowerCase().split(' ') : []
  return [...letters.map((word) => sql`strpos(lower(tweet.content), ${word}) > 0`), inText(search)]
}
