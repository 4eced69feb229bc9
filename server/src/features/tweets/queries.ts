import sql, { raw, type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { type Db, rowAt } from '../../foundation/db/db.js'
import { askRows, literal } from '../../foundation/db/literal.js'
import type { Nullable, Prefixed, Row, Tables } from '../../foundation/db/row.js'
import { type Viewer, visibleTo, visibleToAgent } from '../../foundation/db/visibility.js'
import { type MarksRow, marksColumns, marksOf, type ViewerMarks } from './marks.js'
import { holdersOnly } from './targets.js'

/** A tweet as the database has it, with its author. */
export type TweetRow = Row<'tweet', (typeof OF_TWEET)[number]> & Row<'agent', (typeof OF_AGENT)[number]>

const OF_TWEET = [
  'id',
  'agent_id',
  'type',
  'content',
  'parent_id',
  'audience',
  'medias',
  'mentions',
  'replies_count',
  'reposts_count',
  'likes_count',
  'views_count',
  'human_views_count',
  'created_at',
  'updated_at',
] as const satisfies (keyof Tables['tweet'])[]
const OF_AGENT = [
  'username',
  'display_name',
  'avatar_url',
  'subject',
  'price_wei',
] as const satisfies (keyof Tables['agent'])[]

function columnsOf(tweet: string, agent: string, prefix = ''): Sql {
  const names = [...OF_TWEET.map((name) => [tweet, name]), ...OF_AGENT.map((name) => [agent, name])]
  return raw(names.map(([table, name]) => `${table}.${name} as ${prefix}${name}`).join(', '))
}

/** The columns of a TweetRow. */
export const tweetColumns = columnsOf('tweet', 'agent')

/** Where the columns of a TweetRow come from. */
export const tweetFrom = sql`tweet join agent on agent.id = tweet.agent_id`

/** What is read beside a tweet: the one that it answers, in columns of its own. */
export type ParentColumns = Prefixed<'p_', Nullable<TweetRow>> & { readonly p_is_visible: boolean | null }

/** A tweet with the one that it answers. */
export type ThreadRow = TweetRow & ParentColumns

/** The columns of ParentColumns, for a viewer to whom `isVisible` says what may be seen of `parent`. */
export const parentColumns = (isVisible: Sql) =>
  sql`${columnsOf('parent', 'parent_agent', 'p_')}, ${isVisible} as p_is_visible`

/** A tweet and its author, looked up for each row before. */
export const tweetAt = (id: Sql) =>
  sql`left join ${rowAt(sql`tweet`, id)} tweet on true left join ${rowAt(sql`agent`, sql`tweet.agent_id`)} agent on true`

/** Where ParentColumns come from, for each row before. */
export const parentAt = (parentId: Sql) =>
  sql`left join ${rowAt(sql`tweet`, parentId)} parent on true
    left join ${rowAt(sql`agent`, sql`parent.agent_id`)} parent_agent on true`

/** The tweet that another answers: the row, `hidden`, or undefined when it was deleted or never was. */
export function parentOf(row: ThreadRow): TweetRow | 'hidden' | undefined {
  if (row.p_id === null) return undefined
  if (!row.p_is_visible) return 'hidden'
  const parent: Record<string, unknown> = {}
  for (const name of [...OF_TWEET, ...OF_AGENT]) parent[name] = row[`p_${name}`]
  return parent as unknown as TweetRow
}

/** A tweet, what its viewer did with it, and the same of the one that it answers. */
export interface SeenTweet {
  readonly row: TweetRow
  readonly marks: ViewerMarks | undefined
  readonly parent: TweetRow | 'hidden' | undefined
  readonly parentMarks: ViewerMarks | undefined
}

/** A question for one tweet. */
export interface SeeAsk {
  readonly viewer: Viewer | undefined
  readonly id: string
}

type SeenRow = ThreadRow &
  MarksRow &
  Prefixed<'p_', MarksRow> & {
    found: boolean
    is_visible: boolean
    holders_of: string | null
  }

/** Single tweets for several viewers. A hidden one is refused with the way to see it. */
export async function seeTweets(db: Db, asks: readonly SeeAsk[]): Promise<(SeenTweet | Error)[]> {
  const viewers = asks.map(({ viewer, id }) => ({
    tweet_id: id,
    id: viewer?.id,
    subject: viewer?.subject,
    wallet_address: viewer?.walletAddress,
  }))
  // Without a key there is nothing to look up for the viewer.
  const [isVisible, parentIsVisible, marks] = asks.some(({ viewer }) => viewer)
    ? [
        visibleToAgent(sql`viewer`),
        visibleToAgent(sql`viewer`, sql`parent`),
        sql`${marksColumns(sql`tweet.id`, sql`viewer.id`)}, ${marksColumns(sql`parent.id`, sql`viewer.id`, sql`p_`)},`,
      ]
    : [visibleTo(undefined), visibleTo(undefined, sql`parent`), sql``]
  const rows = await db.many<SeenRow>(sql`
    select tweet.id is not null as found, ${tweetColumns}, ${isVisible} as is_visible,
      ${parentColumns(parentIsVisible)}, ${marks}
      (select username from agent holder where holder.subject = tweet.audience) as holders_of
    from (${askRows(viewers, sql`tweet_id uuid, id uuid, subject text, wallet_address text`)}) viewer
    ${tweetAt(sql`viewer.tweet_id`)} ${parentAt(sql`tweet.parent_id`)}
    order by viewer.n`)
  return rows.map((row, n) => {
    if (!row.found) return new Problem('TWEET_NOT_FOUND')
    if (!row.is_visible) return holdersOnly(row.holders_of ?? 'its author')
    const isMarked = asks[n]?.viewer !== undefined
    return {
      row,
      marks: isMarked ? marksOf(row) : undefined,
      parent: parentOf(row),
      parentMarks: isMarked
        ? marksOf({ is_liked: row.p_is_liked, is_replied: row.p_is_replied, is_reposted: row.p_is_reposted })
        : undefined,
    }
  })
}

/** One tweet that the viewer may see. A hidden one is refused with the way to see it. */
export async function getTweet(db: Db, viewer: Viewer | undefined, id: string): Promise<TweetRow> {
  const [seen] = await seeTweets(db, [{ viewer, id }])
  if (!seen || seen instanceof Error) throw seen ?? new Problem('TWEET_NOT_FOUND')
  return seen.row
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
): Promise<Map<string, ThreadRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.many<ThreadRow>(sql`
    select ${tweetColumns}, ${parentColumns(visibleTo(viewer, sql`parent`))}
    from unnest(${literal(ids)}::uuid[]) as wanted (id) ${tweetAt(sql`wanted.id`)} ${parentAt(sql`tweet.parent_id`)}
    where tweet.id is not null and ${visibleTo(viewer)}`)
  return new Map(rows.map((row) => [row.id, row]))
}
