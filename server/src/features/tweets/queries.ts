import sql, { raw, type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { type Db, every, rowAt } from '../../foundation/db/db.js'
import { literal, requestRows } from '../../foundation/db/literal.js'
import type { Nullable, Prefixed, Row, Tables } from '../../foundation/db/row.js'
import {
  isAgentViewer,
  isBlocked,
  listedFor,
  type Person,
  type Viewer,
  visibleTo,
  visibleToAgent,
  WITHHELD,
} from '../../foundation/db/visibility.js'
import { type MarksRow, marksColumns, marksOf, type ViewerMarks } from './marks.js'
import { holdersOnly, isBare } from './targets.js'

/** A tweet with its author. */
export type TweetRow = Row<'tweet', (typeof TWEET_COLUMNS)[number]> & Row<'agent', (typeof AGENT_COLUMNS)[number]>

const TWEET_COLUMNS = [
  'id',
  'agent_id',
  'type',
  'content',
  'parent_id',
  'audience',
  'medias',
  'mentions',
  'labels',
  'withheld',
  'replies_count',
  'reposts_count',
  'likes_count',
  'views_count',
  'human_views_count',
  'created_at',
  'updated_at',
] as const satisfies (keyof Tables['tweet'])[]
/** What is shown of the author of a tweet. */
export const AGENT_COLUMNS = [
  'username',
  'display_name',
  'avatar_url',
  'subject',
  'price_wei',
] as const satisfies (keyof Tables['agent'])[]

function columnsOf(tweet: string, agent: string, prefix = ''): Sql {
  const names = [...TWEET_COLUMNS.map((name) => [tweet, name]), ...AGENT_COLUMNS.map((name) => [agent, name])]
  return raw(names.map(([table, name]) => `${table}.${name} as ${prefix}${name}`).join(', '))
}

export const tweetColumns = columnsOf('tweet', 'agent')

export const tweetFrom = sql`tweet join agent on agent.id = tweet.agent_id`

/** The parent of a tweet, in columns of the same row. */
export type ParentColumns = Prefixed<'p_', Nullable<TweetRow>> & { readonly p_is_visible: boolean | null }

/** A tweet and its parent. */
export type ThreadRow = TweetRow &
  ParentColumns & {
    /** False in lists for a tweet that is shown locked. */
    readonly is_visible?: boolean
  }

/** The columns of ParentColumns; `isVisible` says whether the viewer may see `parent`. */
export const parentColumns = (isVisible: Sql) =>
  sql`${columnsOf('parent', 'parent_agent', 'p_')}, ${isVisible} as p_is_visible`

/** Joins that look up a tweet and its author for each row. */
export const tweetAt = (id: Sql) =>
  sql`left join ${rowAt(sql`tweet`, id)} tweet on true left join ${rowAt(sql`agent`, sql`tweet.agent_id`)} agent on true`

/** Joins that look up the parent and its author for each row. */
export const parentAt = (parentId: Sql) =>
  sql`left join ${rowAt(sql`tweet`, parentId)} parent on true
    left join ${rowAt(sql`agent`, sql`parent.agent_id`)} parent_agent on true`

/** The parent of a tweet: the row, `hidden`, or undefined if it was deleted or there is none. */
export function parentOf(row: ThreadRow): TweetRow | 'hidden' | undefined {
  if (row.p_id === null) return undefined
  if (!row.p_is_visible) return 'hidden'
  const parent: Record<string, unknown> = {}
  for (const name of [...TWEET_COLUMNS, ...AGENT_COLUMNS]) parent[name] = row[`p_${name}`]
  return parent as unknown as TweetRow
}

/** A tweet and its parent, each with the marks of the viewer. */
export interface SeenTweet {
  readonly row: TweetRow
  readonly marks: ViewerMarks | undefined
  readonly parent: TweetRow | 'hidden' | undefined
  readonly parentMarks: ViewerMarks | undefined
}

/** A viewer's request for one tweet. */
export interface SeeRequest {
  readonly viewer: Viewer | undefined
  readonly id: string
}

/** What decides whether the viewer of a request gets its tweet, and the marks of an agent. */
export type SeenColumns = MarksRow &
  Prefixed<'p_', MarksRow> & {
    readonly found: boolean
    readonly audience: string | null
    readonly is_visible: boolean
    readonly is_blocked?: boolean
    readonly holders_of: string | null
  }

type SeenRow = ThreadRow & SeenColumns

/** Reads single tweets for several viewers. */
export async function seeTweets(db: Db, requests: readonly SeeRequest[]): Promise<(SeenTweet | Error)[]> {
  if (requests.every(({ viewer }) => personOf(viewer) === undefined)) return seeTogether(db, requests)
  // People are few, and each may be several agents and wallets at once.
  const seen = requests.map((request) => seeTogether(db, [request], personOf(request.viewer)))
  return (await Promise.all(seen)).flat()
}

export const personOf = (viewer: Viewer | undefined) =>
  viewer === undefined || isAgentViewer(viewer) ? undefined : viewer

async function seeTogether(db: Db, requests: readonly SeeRequest[], person?: Person): Promise<(SeenTweet | Error)[]> {
  const rows = await readSeen<SeenRow>(
    db,
    requests,
    (isVisible) => sql`${tweetColumns}, ${parentColumns(isVisible)}`,
    person,
  )
  return rows.map((row, n) => {
    const refusal = refusalOfSeen(row)
    if (refusal) return refusal
    const isMarked = isAgentViewer(requests[n]?.viewer)
    return {
      row,
      marks: isMarked ? marksOf(row) : undefined,
      parent: parentOf(row),
      parentMarks: isMarked ? parentMarksOf(row) : undefined,
    }
  })
}

/**
 * Reads the tweet of each request as its viewer may see it now. `columns` are those of the tweet and its parent, for an
 * expression that says whether the viewer may see the parent.
 */
export function readSeen<Row>(
  db: Db,
  requests: readonly SeeRequest[],
  columns: (parentIsVisible: Sql) => Sql,
  person?: Person,
): Promise<(Row & SeenColumns)[]> {
  const agents = requests.map(({ viewer }) => (isAgentViewer(viewer) ? viewer : undefined))
  const viewers = requests.map(({ id }, n) => ({
    tweet_id: id,
    id: agents[n]?.id,
    subject: agents[n]?.subject,
    wallet_address: agents[n]?.walletAddress,
  }))
  // Without an agent among the viewers there are no marks and holdings to look up.
  const [isVisible, parentIsVisible, marks] = agents.some((agent) => agent)
    ? [
        visibleToAgent(sql`viewer`),
        visibleToAgent(sql`viewer`, sql`parent`),
        sql`${marksColumns(sql`tweet.id`, sql`viewer.id`)}, ${marksColumns(sql`parent.id`, sql`viewer.id`, sql`p_`)},
          ${isBlocked(sql`viewer.id`, sql`tweet.agent_id`)} as is_blocked,`,
      ]
    : [visibleTo(person), visibleTo(person, sql`parent`), sql``]
  return db.many<Row & SeenColumns>(sql`
    select tweet.id is not null as found, tweet.audience, ${isVisible} as is_visible, ${columns(parentIsVisible)}, ${marks}
      (select username from agent holder where holder.subject = tweet.audience) as holders_of
    from (${requestRows(viewers, sql`tweet_id uuid, id uuid, subject text, wallet_address text`)}) viewer
    ${tweetAt(sql`viewer.tweet_id`)} ${parentAt(sql`tweet.parent_id`)}
    order by viewer.n`)
}

/** Why the viewer does not get the tweet. The refusal of a private one says how to get access. */
export function refusalOfSeen({
  found,
  audience,
  is_visible,
  is_blocked,
  holders_of,
}: SeenColumns): Problem | undefined {
  // Who is blocked only learns of it by acting on the other.
  if (!found || is_blocked) return new Problem('TWEET_NOT_FOUND')
  if (is_visible) return undefined
  return audience === WITHHELD ? new Problem('TAKEN_DOWN') : holdersOnly(holders_of ?? 'its author')
}

export function parentMarksOf({ p_is_liked, p_is_replied, p_is_reposted }: Prefixed<'p_', MarksRow>): ViewerMarks {
  return marksOf({ is_liked: p_is_liked, is_replied: p_is_replied, is_reposted: p_is_reposted })
}

export async function getTweet(db: Db, viewer: Viewer | undefined, id: string): Promise<TweetRow> {
  return (await seeTweet(db, viewer, id)).row
}

/** The tweet that a reply, like or repost of the named one applies to. */
export async function getTarget(db: Db, viewer: Viewer | undefined, id: string): Promise<TweetRow> {
  return targetOf(await seeTweet(db, viewer, id))
}

async function seeTweet(db: Db, viewer: Viewer | undefined, id: string): Promise<SeenTweet> {
  const [seen] = await seeTweets(db, [{ viewer, id }])
  if (!seen || seen instanceof Error) throw seen ?? new Problem('TWEET_NOT_FOUND')
  return seen
}

/** The original of a bare repost, which everybody sees who sees the repost; any other tweet stands for itself. */
export function targetOf({ row, parent }: SeenTweet): TweetRow {
  return isBare(row) && parent && parent !== 'hidden' ? parent : row
}

/** Finds the tweets that are listed for the viewer and that meet the conditions, by id. */
export async function findTweets(
  db: Db,
  viewer: Viewer | undefined,
  ids: readonly string[],
  conditions: readonly Sql[] = [],
): Promise<Map<string, ThreadRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.many<ThreadRow>(sql`
    select ${tweetColumns}, ${parentColumns(visibleTo(viewer, sql`parent`))}
    from unnest(${literal(ids)}::uuid[]) as wanted (id) ${tweetAt(sql`wanted.id`)} ${parentAt(sql`tweet.parent_id`)}
    where tweet.id is not null and ${every([listedFor(viewer), ...conditions])}`)
  return new Map(rows.map((row) => [row.id, row]))
}
