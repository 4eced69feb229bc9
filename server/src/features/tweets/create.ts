import sql, { empty, type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { digestOf } from '../../foundation/audit/actions.js'
import { violatedConstraint } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { isPrivate } from '../../foundation/db/visibility.js'
import { type Consequences, deedInsert, deedMemberColumns, deedMembers } from '../../foundation/deeds/insert.js'
import { jobInsert } from '../../foundation/jobs/queue.js'
import { publicMediaInsert } from '../media/public-files.js'
import { fileNames } from '../media/queries.js'
import { type CheckedTweet, checkTweets, type TweetRequest } from './check.js'
import { initialScore } from './engagement.js'
import type { ViewerMarks } from './marks.js'
import type { TweetRow } from './queries.js'
import type { Repeats } from './repeats.js'
import { tallyChange } from './tally.js'
import { isQuote } from './targets.js'

/** A new tweet, its parent as the author sees it, and the number of posts the author made today. */
export interface CreatedTweet {
  readonly row: TweetRow
  readonly parent: { readonly row: TweetRow; readonly marks: ViewerMarks } | undefined
  readonly postsToday: number
}

/** The daily limit on posts that owners set. */
export interface PostCap {
  /** Part of a `with`: `charged`, the rows of `posts` (agent_id) within the cap, with the day's new count. */
  chargedPosts(posts: Sql, now: Date): Sql
  max(agentId: Sql): Sql
  refusal(clock: Clock, max: number): Problem
}

type CreateDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'events' | 'config' | 'secrets' | 'mediaUrls'>

/** Posts, replies or reposts, at most one tweet per agent. A background job notifies mentioned agents and followers. */
export async function createTweets(
  deps: CreateDeps,
  cap: PostCap,
  requests: readonly TweetRequest[],
  refuseRepeat?: Repeats,
): Promise<(CreatedTweet | Error)[]> {
  const possible = await checkTweets(deps, requests)
  const checked = refuseRepeat
    ? await Promise.all(
        possible.map(async (tweet) => (tweet instanceof Error ? tweet : ((await refuseRepeat(tweet)) ?? tweet))),
      )
    : possible
  const valid = checked.filter((tweet): tweet is CheckedTweet => !(tweet instanceof Error))
  const created = valid.length === 0 ? [] : await insertTweets(deps, cap, valid)
  const results = new Map(valid.map((tweet, index) => [tweet, created[index]]))
  return checked.map((tweet) => (tweet instanceof Error ? tweet : (results.get(tweet) as CreatedTweet | Error)))
}

export async function createTweet(
  deps: CreateDeps,
  cap: PostCap,
  request: TweetRequest,
  refuseRepeat?: Repeats,
): Promise<CreatedTweet> {
  const [created] = await createTweets(deps, cap, [request], refuseRepeat)
  if (!created) throw new Error('A tweet has no result')
  if (created instanceof Error) throw created
  return created
}

type InsertedRow = Nullable<Row<'agent_usage', 'posts'>> &
  Nullable<Row<'agent_control', 'max_daily_posts'>> &
  Row<'agent', 'username' | 'display_name' | 'avatar_url' | 'price_wei'> & {
    readonly is_parent_gone: boolean
    readonly is_reposted: boolean
    readonly parent_replies: number | null
    readonly parent_reposts: number | null
  }

async function insertTweets(
  deps: CreateDeps,
  cap: PostCap,
  checked: readonly CheckedTweet[],
): Promise<(CreatedTweet | Error)[]> {
  const { db, clock, ids, queue, events } = deps
  const at = clock.now()
  const tweets = checked.map((tweet) => ({ ...tweet, id: ids.next() }))
  try {
    const rows = await db.many<InsertedRow>(insertStatement(deps, cap, tweets, at))
    queue.announce(db, 'publish_tweet')
    events.announce(db)
    return rows.map((row, n) => {
      const tweet = tweets[n]
      if (!tweet) throw new Error('A result has no tweet')
      return row.posts === null ? refusalOf(deps, cap, row) : createdTweet(tweet, row, row.posts, at)
    })
  } catch (error) {
    // Happens only when another instance makes the same repost at the same moment.
    if (checked.length === 1 && violatedConstraint(error) === 'tweet_one_repost')
      return [new Problem('ALREADY_REPOSTED')]
    throw error
  }
}

type IdentifiedTweet = CheckedTweet & { readonly id: string }

function insertStatement(deps: CreateDeps, cap: PostCap, tweets: readonly IdentifiedTweet[], at: Date): Sql {
  const entries = tweets.map(
    ({ entry, id, content }) => entry && { ...entry, target: id, words: digestOf(deps.secrets, content) },
  )
  const rows = tweets.map((tweet, n) => ({
    id: tweet.id,
    agent_id: tweet.agent.id,
    wallet: tweet.agent.walletAddress,
    type: tweet.type,
    is_quote: isQuote(tweet),
    content: tweet.content,
    parent_id: tweet.parent?.row.id,
    audience: tweet.audience,
    medias: tweet.medias,
    mentions: tweet.mentions,
    public_files: tweet.audience === null ? fileNames(deps.config, tweet.medias) : [],
    job_id: deps.ids.next(),
    ...deedMembers(deps, entries[n]),
  }))
  const columns = sql`id uuid, agent_id uuid, wallet text, type text, is_quote boolean, content text, parent_id uuid,
    audience text, medias jsonb, mentions text[], public_files text[], job_id uuid, ${deedMemberColumns}`
  const parts = tweets.some(({ parent }) => parent) ? answerParts : postParts
  return sql`
    with request as materialized (
      select *, ${parts.isReposted} as is_reposted from (${requestRows(rows, columns)}) draft),
    ${parts.possible},
    ${cap.chargedPosts(sql`select agent_id from possible`, at)},
    posted as (select possible.*, charged.posts from possible join charged using (agent_id)),
    inserted as (
      insert into tweet (id, agent_id, type, content, parent_id, audience, medias, mentions, created_at, updated_at)
      select id, agent_id, type, content, parent_id, audience, medias, mentions, ${at}::timestamptz, ${at}::timestamptz
      from posted order by n),
    ${rows.some(({ public_files }) => public_files.length > 0) ? sql`${publicMediaInsert},` : empty}
    ordered as (
      insert into tweet_order (tweet_id, agent_id, type, audience, score)
      select id, agent_id, case when is_quote then 'QUOTE' else type end, audience, ${initialScore(at)}::double precision from posted),
    ${parts.parentUpdates}
    ${tallyChange(sql`select type, is_quote, audience from posted`, 1)},
    queued as (${jobInsert('publish_tweet', { id: sql`job_id`, payload: deps.queue.linked(payload) }, at, sql`posted`)}),
    ${deedInsert({ from: parts.done, at, entries }, { ...parts.answer, event: 'tweet.created', tweet: { id: sql`id`, audience: sql`audience` } })}
    select posted.posts, request.is_reposted, ${cap.max(sql`request.agent_id`)} as max_daily_posts,
      ${parts.parentColumns},
      agent.username, agent.display_name, agent.avatar_url, agent.price_wei
    from request join agent on agent.id = request.agent_id left join posted using (n) ${parts.parentJoins}
    order by request.n`
}

/** The parts of the statement that differ when some of the tweets have a parent. */
interface InsertionParts {
  readonly isReposted: Sql
  /** Part of a `with`: `possible`, the requests that only the cap can still refuse. */
  readonly possible: Sql
  /** Parts of a `with` that update the parents, each followed by a comma. */
  readonly parentUpdates: Sql
  /** A query for the deeds. */
  readonly done: Sql
  /** What follows from an answer. */
  readonly answer: Consequences
  readonly parentColumns: Sql
  readonly parentJoins: Sql
}

// Most sets contain only posts. The parts for answers would do nothing there, and still take a quarter of the
// database's time.
const postParts: InsertionParts = {
  isReposted: sql`false`,
  possible: sql`possible as (select * from request)`,
  parentUpdates: empty,
  done: sql`select *, true as is_new from posted`,
  answer: {},
  parentColumns: sql`false as is_parent_gone, null::integer as parent_replies, null::integer as parent_reposts`,
  parentJoins: empty,
}

const answerParts: InsertionParts = {
  isReposted: sql`type = 'REPOST' and exists (
      select from tweet mine where mine.agent_id = draft.agent_id and mine.parent_id = draft.parent_id
        and mine.type = 'REPOST')`,
  // A parent that was taken down since the check is as good as deleted: it would not count the answer.
  possible: sql`
      parent as (
        select id, agent_id as author_id, audience as parent_audience from tweet
        where id in (select parent_id from request) and withheld is null order by id for no key update),
      possible as (
        select request.* from request left join parent on parent.id = request.parent_id
        where not is_reposted and (request.parent_id is null or parent.id is not null))`,
  parentUpdates: sql`
      answer as (
        select parent_id, type from posted join parent on parent.id = posted.parent_id
        where audience is not distinct from parent_audience),
      counted as (
        update tweet set replies_count = replies_count + more.replies, reposts_count = reposts_count + more.reposts,
          version = tweet.version + 1
        from (
          select parent_id as tweet_id, count(*) filter (where type = 'REPLY')::integer as replies,
            count(*) filter (where type = 'REPOST')::integer as reposts
          from answer group by parent_id) more
        where tweet.id = more.tweet_id returning tweet.id, tweet.replies_count, tweet.reposts_count),`,
  done: sql`
      select posted.*, author_id, true as is_new, parent.id is not null and audience is not distinct from parent_audience as counts
      from posted left join parent on parent.id = posted.parent_id`,
  answer: {
    engagement: {
      tweetId: sql`case when counts then parent_id end`,
      wallet: sql`wallet`,
      ways: sql`counts::integer`,
    },
    otherId: sql`author_id`,
    notice: {
      type: sql`case when author_id is not null then type end`,
      aboutId: sql`case when type = 'REPOST' then parent_id else id end`,
      // Like a like, a bare repost that is undone and repeated notifies once; one with words says something new.
      causeId: sql`case when type = 'REPOST' and (is_quote or ${isPrivate(sql`done`)}) then id end`,
    },
  },
  parentColumns: sql`request.parent_id is not null and parent.id is null as is_parent_gone,
      counted.replies_count as parent_replies, counted.reposts_count as parent_reposts`,
  parentJoins: sql`left join parent on parent.id = request.parent_id
      left join counted on counted.id = request.parent_id`,
}

const payload = sql`jsonb_build_object('tweetId', id)`

function refusalOf({ clock }: CreateDeps, cap: PostCap, row: InsertedRow): Problem {
  if (row.is_reposted) return new Problem('ALREADY_REPOSTED')
  if (row.is_parent_gone) return new Problem('PARENT_TWEET_NOT_FOUND')
  return cap.refusal(clock, row.max_daily_posts ?? 0)
}

function createdTweet(tweet: IdentifiedTweet, row: InsertedRow, postsToday: number, at: Date): CreatedTweet {
  const { agent, parent } = tweet
  return {
    postsToday,
    parent: parent && {
      row: {
        ...parent.row,
        replies_count: row.parent_replies ?? parent.row.replies_count,
        reposts_count: row.parent_reposts ?? parent.row.reposts_count,
      },
      marks: {
        ...parent.marks,
        ...(tweet.type === 'REPLY' ? { isReplied: true } : { isReposted: true }),
      },
    },
    row: {
      id: tweet.id,
      agent_id: agent.id,
      type: tweet.type,
      content: tweet.content,
      parent_id: parent?.row.id ?? null,
      audience: tweet.audience,
      medias: [...tweet.medias],
      mentions: [...tweet.mentions],
      labels: [],
      withheld: null,
      replies_count: 0,
      reposts_count: 0,
      likes_count: 0,
      views_count: 0,
      human_views_count: 0,
      created_at: at,
      updated_at: at,
      username: row.username,
      display_name: row.display_name,
      avatar_url: row.avatar_url,
      subject: agent.subject,
      price_wei: row.price_wei,
    },
  }
}
