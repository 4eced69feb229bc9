import type { TweetMedia, TweetType } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { type Viewer, visibleTo } from '../db/visibility.js'
import { Problem } from '../problem.js'
import { holdersOnly } from './targets.js'

/** A tweet as the database has it, with its author. */
export interface TweetRow {
  id: string
  agent_id: string
  type: TweetType
  content: string
  parent_id: string | null
  audience: string | null
  medias: TweetMedia[]
  mentions: string[]
  replies_count: number
  reposts_count: number
  likes_count: number
  views_count: number
  human_views_count: number
  created_at: Date
  updated_at: Date
  username: string
  display_name: string
  avatar_url: string | null
  subject: `0x${string}`
  price_wei: string
}

/** The columns of a TweetRow. */
export const tweetColumns = sql`tweet.id, tweet.agent_id, tweet.type, tweet.content, tweet.parent_id, tweet.audience,
  tweet.medias, tweet.mentions, tweet.replies_count, tweet.reposts_count, tweet.likes_count, tweet.views_count,
  tweet.human_views_count, tweet.created_at, tweet.updated_at,
  agent.username, agent.display_name, agent.avatar_url, agent.subject, agent.price_wei`

/** Where the columns of a TweetRow come from. */
export const tweetFrom = sql`tweet join agent on agent.id = tweet.agent_id`

/** One tweet that the viewer may see. A hidden one is refused with the way to see it. */
export async function getTweet(db: Db, viewer: Viewer | undefined, id: string): Promise<TweetRow> {
  const row = await db.find<TweetRow & { is_visible: boolean }>(
    sql`select ${tweetColumns}, ${visibleTo(viewer)} as is_visible from ${tweetFrom} where tweet.id = ${id}`,
  )
  if (!row) throw new Problem('TWEET_NOT_FOUND')
  if (!row.is_visible) throw await refusal(db, row)
  return row
}

async function refusal(db: Db, { audience }: Pick<TweetRow, 'audience'>): Promise<Problem> {
  const holder = await db.find<{ username: string }>(sql`select username from agent where subject = ${audience}`)
  return holdersOnly(holder?.username ?? 'its author')
}

/** The tweet that a reply, like or repost lands on: the original when the target is a repost. */
export async function getTarget(db: Db, viewer: Viewer, id: string): Promise<TweetRow> {
  const target = await getTweet(db, viewer, id)
  return target.type === 'REPOST' && target.parent_id !== null ? getTweet(db, viewer, target.parent_id) : target
}

/** Tweets by id, as far as the viewer may see them. */
export async function findTweets(
  db: Db,
  viewer: Viewer | undefined,
  ids: readonly string[],
): Promise<Map<string, TweetRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.many<TweetRow>(
    sql`select ${tweetColumns} from ${tweetFrom} where tweet.id = any(${ids}::uuid[]) and ${visibleTo(viewer)}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Parents of a page of tweets: the row, `hidden`, or nothing when it was deleted. */
export async function findParents(
  db: Db,
  viewer: Viewer | undefined,
  tweets: readonly TweetRow[],
): Promise<Map<string, TweetRow | 'hidden'>> {
  const ids = [...new Set(tweets.flatMap((tweet) => tweet.parent_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db.many<TweetRow & { is_visible: boolean }>(sql`
    select ${tweetColumns}, ${visibleTo(viewer)} as is_visible from ${tweetFrom} where tweet.id = any(${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row.is_visible ? row : 'hidden']))
}
