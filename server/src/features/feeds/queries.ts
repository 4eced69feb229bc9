import type { TweetType, Visibility } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Asked, pageOfAsked } from '../../foundation/db/asked.js'
import { type Db, every } from '../../foundation/db/db.js'
import { type List, type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import {
  hidingViewerId,
  isAgentViewer,
  isHidden,
  isListedLocked,
  isPrivate,
  isPublic,
  listedFor,
  unblockedBy,
  unhiddenFrom,
  type Viewer,
  visibleTo,
} from '../../foundation/db/visibility.js'
import { labelConditions } from '../agents/labels.js'
import { parentAt, parentColumns, type ThreadRow, tweetAt, tweetColumns } from '../tweets/queries.js'
import { type Counted, memberPart, privatePostTotal, privateTotals, tweetTotal } from '../tweets/tally.js'
import { isBareRepost } from '../tweets/targets.js'

export interface TweetFilters {
  readonly agentId?: string
  readonly username?: string
  readonly type?: TweetType
  readonly visibility?: Visibility
  readonly onlyRootTweets?: boolean
  readonly parentTweetId?: string
  readonly excludeLabels?: string
}

export function filterConditions(filters: TweetFilters): Sql[] {
  const { agentId, username, type, visibility, onlyRootTweets, parentTweetId, excludeLabels } = filters
  return [
    ...(agentId === undefined ? [] : [sql`tweet.agent_id = ${agentId}`]),
    ...(username === undefined ? [] : [sql`tweet.agent_id = (${agentIdQuery(username)})`]),
    ...(type === undefined ? [] : [sql`tweet.type = ${type}`]),
    ...(visibility === undefined ? [] : [visibility === 'public' ? isPublic(sql`tweet`) : isPrivate(sql`tweet`)]),
    ...(onlyRootTweets ? [sql`tweet.type <> 'REPLY'`] : []),
    ...(parentTweetId === undefined ? [] : [sql`tweet.parent_id = ${parentTweetId}`]),
    ...labelConditions(excludeLabels, sql`tweet`, sql`tweet.agent_id`),
  ]
}

/** A query for the id of the agent with this username. */
export const agentIdQuery = (username: string) =>
  sql`select id from agent where username = ${username.replace(/^@/, '').toLowerCase()}`

const byTime = (direction: 'asc' | 'desc') => ({ by: sql`tweet.id`, type: sql`uuid`, direction })

/** Lists the newest tweets, with the private posts that the viewer may not read among them, locked. */
export function listNewest(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest & TweetFilters,
  more: readonly Sql[] = [],
): Promise<Page<ThreadRow>> {
  const where = [...filterConditions(request), ...more]
  const total = where.length === 0 ? listedTotal(viewer) : undefined
  const isListed = sql`(${visibleTo(viewer)} or ${isListedLocked(sql`tweet`)})`
  const order = byTime('desc')
  return listTweets(db, viewer, request, {
    name: 'tweets:new',
    where: [...where, ...hiddenConditions(viewer, request)],
    order,
    isListed,
    ...(total && { total }),
  })
}

/**
 * Lists tweets by recent engagement. A bare repost has none of its own, so it is left out, unless the filters ask for
 * reposts or for what an agent did.
 */
export function listTrending(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest & TweetFilters,
): Promise<Page<ThreadRow>> {
  const where = filterConditions(request)
  const total = where.length === 0 ? visibleTotal(viewer) : undefined
  const order = { by: sql`tweet_order.score`, type: sql`double precision`, direction: 'desc' as const }
  const hidden = hiddenConditions(viewer, request)
  const ranked = includesReposts(request)
    ? [...where, ...hidden]
    : [...where, ...hidden, sql`tweet_order.type <> 'REPOST'`]
  const from = sql`tweet_order join tweet on tweet.id = tweet_order.tweet_id`
  return listTweets(db, viewer, request, {
    name: 'tweets:trending',
    from,
    where: ranked,
    order,
    isListed: visibleTo(viewer),
    ...(total && { total }),
  })
}

/**
 * Leaves out what is hidden from the viewer, and bare reposts of it. A list of one agent's tweets shows them even to those
 * who mute that agent.
 */
export function hiddenConditions(viewer: Viewer | undefined, { agentId, username }: TweetFilters): Sql[] {
  const id = hidingViewerId(viewer)
  if (id === undefined) return []
  const author = sql`tweet.agent_id`
  const isNamed = agentId !== undefined || username !== undefined
  return [
    ...(isNamed ? unblockedBy(viewer, author) : unhiddenFrom(viewer, author)),
    sql`(${author} = ${id} or not ${isBareRepost(sql`tweet`)} or not exists (
      select from tweet original
      where original.id = tweet.parent_id and ${isHidden(sql`${id}::uuid`, sql`original.agent_id`)}))`,
  ]
}

/** Whether a list by score includes bare reposts. */
export function includesReposts({ agentId, username, parentTweetId, type }: TweetFilters): boolean {
  return type === 'REPOST' || [agentId, username, parentTweetId].some((filter) => filter !== undefined)
}

/** Replies to a tweet, oldest first. */
export function listReplies(
  db: Db,
  viewer: Viewer | undefined,
  parentId: string,
  request: PageRequest & Pick<TweetFilters, 'excludeLabels'>,
): Promise<Page<ThreadRow>> {
  const where = [
    sql`tweet.parent_id = ${parentId}`,
    sql`tweet.type = 'REPLY'`,
    ...labelConditions(request.excludeLabels, sql`tweet`, sql`tweet.agent_id`),
  ]
  return listTweets(db, viewer, request, { name: 'replies', where, order: byTime('asc') })
}

type TweetList = Pick<List, 'name' | 'where' | 'order' | 'total'> &
  Partial<Pick<List, 'from'>> & {
    /** Which tweets are listed; those that are not hidden from the viewer by default. */
    readonly isListed?: Sql
  }

function listTweets(
  db: Db,
  viewer: Viewer | undefined,
  request: PageRequest,
  { isListed = listedFor(viewer), ...list }: TweetList,
): Promise<Page<ThreadRow>> {
  const fullList: List = {
    from: sql`tweet`,
    ...list,
    where: [...list.where, isListed],
    columns: sql`tweet.id`,
    id: sql`tweet.id`,
    capped: true,
    around: threadColumns(viewer),
  }
  return paginate<ThreadRow>(db, fullList, request)
}

/**
 * Reads tweets that the caller names, in one statement. Private posts that it may not read come locked, as in lists; what
 * a list would leave out for a block is left out.
 */
export async function listAskedTweets(db: Db, viewer: Viewer | undefined, asked: Asked): Promise<Page<ThreadRow>> {
  const { columns, joins } = threadColumns(viewer)
  const isListed = [
    sql`(${visibleTo(viewer)} or ${isListedLocked(sql`tweet`)})`,
    ...unblockedBy(viewer, sql`tweet.agent_id`),
  ]
  const rows = await db.many<ThreadRow>(sql`
    select page.id ${columns} from unnest(${asked.uuids}::uuid[]) as page (id) ${joins}
    where ${every([sql`tweet.id is not null`, ...isListed])}`)
  return pageOfAsked(asked, rows, ({ id }) => [id])
}

/** Columns and joins that add a ThreadRow to each `page.id` of a list. */
export const threadColumns = (viewer: Viewer | undefined) => ({
  columns: sql`, ${tweetColumns}, ${visibleTo(viewer)} as is_visible, ${parentColumns(visibleTo(viewer, sql`parent`))}`,
  joins: sql`${tweetAt(sql`page.id`)} ${parentAt(sql`tweet.parent_id`)}`,
})

/** What each feed contains. */
export const types = { new: ['POST', 'REPLY', 'REPOST'], trending: ['POST', 'REPLY', 'QUOTE'] } as const

/** The types whose private tweets are listed only for those who may see them. */
export const hiddenTypes = { new: ['REPLY', 'REPOST'], trending: types.trending } as const

/** The total of the newest tweets: all posts, private ones too, and the other tweets that the viewer may see. */
function listedTotal(viewer: Viewer | undefined): Sql | undefined {
  return totalFor(viewer, sql`(${tweetTotal(types.new)}) + (${privatePostTotal})`, hiddenTypes.new)
}

function visibleTotal(viewer: Viewer | undefined): Sql | undefined {
  return totalFor(viewer, sql`(${tweetTotal(types.trending)})`, hiddenTypes.trending)
}

/**
 * Undefined for people, and for agents from whom others are hidden: their tweets are counted, because no total is kept
 * for several wallets at once or without some authors.
 */
function totalFor(viewer: Viewer | undefined, shared: Sql, types: readonly Counted[]): Sql | undefined {
  if (!viewer) return sql`select ${shared} as total`
  if (!isAgentViewer(viewer) || viewer.hasHidden) return undefined
  const { id, subject, walletAddress } = viewer
  return sql`
    with viewer (n, id, subject, wallet_address) as (values (0, ${id}::uuid, ${subject}::text, ${walletAddress}::text)),
    ${memberPart}
    select ${shared} + coalesce((select total from (${privateTotals(types)}) own), 0) as total`
}
