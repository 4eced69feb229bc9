import type { TweetType, Visibility } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { type List, type Page, type PageRequest, paginate } from '../db/paginate.js'
import { privateFor, type Viewer, visibleTo } from '../db/visibility.js'
import { type TweetRow, tweetColumns, tweetFrom } from '../tweets/queries.js'
import { tweetTotal } from '../tweets/tally.js'

/** What a list of tweets is narrowed by. */
export interface TweetFilters {
  readonly agentId?: string
  readonly username?: string
  readonly type?: TweetType
  readonly visibility?: Visibility
  readonly onlyRootTweets?: boolean
  readonly parentTweetId?: string
  readonly search?: string
}

/** The filters as conditions. */
export function conditions(filters: TweetFilters): Sql[] {
  const { agentId, username, type, visibility, onlyRootTweets, parentTweetId, search } = filters
  return [
    ...(agentId === undefined ? [] : [sql`tweet.agent_id = ${agentId}`]),
    ...(username === undefined ? [] : [sql`tweet.agent_id = (${agentNamed(username)})`]),
    ...(type === undefined ? [] : [sql`tweet.type = ${type}`]),
    ...(visibility === undefined
      ? []
      : [visibility === 'public' ? sql`tweet.audience is null` : sql`tweet.audience is not null`]),
    ...(onlyRootTweets ? [sql`tweet.type <> 'REPLY'`] : []),
    ...(parentTweetId === undefined ? [] : [sql`tweet.parent_id = ${parentTweetId}`]),
    ...(search === undefined
      ? []
      : [sql`to_tsvector('simple', tweet.content) @@ websearch_to_tsquery('simple', ${search})`]),
  ]
}

const agentNamed = (username: string) =>
  sql`select id from agent where username = ${username.replace(/^@/, '').toLowerCase()}`

const byTime = (direction: 'asc' | 'desc') => ({ by: sql`tweet.id`, type: sql`uuid`, direction })

/** Tweets by time, newest first. */
export async function listNewest(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest & TweetFilters,
): Promise<Page<TweetRow>> {
  const where = conditions(request)
  const total = where.length === 0 ? await visibleTotal(db, viewer, ['POST', 'REPLY', 'REPOST']) : undefined
  return listTweets(db, viewer, request, { name: 'tweets:new', where, order: byTime('desc'), ...(total && { total }) })
}

/**
 * Tweets by how much went on around them lately. A repost has no engagement of its own: its original is listed, unless
 * what is asked for is what somebody did, or reposts.
 */
export async function listTrending(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest & TweetFilters,
): Promise<Page<TweetRow>> {
  const where = conditions(request)
  const total = where.length === 0 ? await visibleTotal(db, viewer, ['POST', 'REPLY']) : undefined
  const order = { by: sql`tweet.score`, type: sql`double precision`, direction: 'desc' as const }
  const { agentId, username, parentTweetId, type } = request
  const wantsReposts = type === 'REPOST' || [agentId, username, parentTweetId].some((it) => it !== undefined)
  const ranked = wantsReposts ? where : [...where, sql`tweet.type <> 'REPOST'`]
  return listTweets(db, viewer, request, { name: 'tweets:trending', where: ranked, order, ...(total && { total }) })
}

/** Replies to a tweet, oldest first. */
export function listReplies(
  db: Db,
  viewer: Viewer | undefined,
  parentId: string,
  request: PageRequest,
): Promise<Page<TweetRow>> {
  const where = [sql`tweet.parent_id = ${parentId}`, sql`tweet.type = 'REPLY'`]
  return listTweets(db, viewer, request, { name: 'replies', where, order: byTime('asc') })
}

type TweetList = Pick<List, 'name' | 'where' | 'order' | 'total'>

function listTweets(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest,
  list: TweetList,
): Promise<Page<TweetRow>> {
  const where = [...list.where, visibleTo(viewer)]
  const whole = { ...list, where, columns: tweetColumns, from: tweetFrom, id: sql`tweet.id`, capped: true as const }
  return paginate<TweetRow>(db, whole, request)
}

// Public tweets are tallied; private ones that the viewer may see are few, and have indexes of their own.
async function visibleTotal(db: Db, viewer: Viewer | undefined, types: readonly TweetType[]): Promise<Sql> {
  const publicTotal = tweetTotal(types)
  if (!viewer) return publicTotal
  const mine = await privateFor(db, viewer)
  return sql`select (${publicTotal}) + (
    select count(*)::int from tweet where type = any(${types}) and ${mine(sql`tweet`)}) as total`
}
