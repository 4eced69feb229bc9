import type { TweetMedia, TweetType, Visibility } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { NewAuditEntry } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { fileNames, type ReferencedFiles, referencedFiles, resolveMedias } from '../media/queries.js'
import { type MarksRow, marksColumns, marksOf, type ViewerMarks } from './marks.js'
import { mentionedNames, resolveMentions } from './mentions.js'
import { type TweetRow, tweetColumns } from './queries.js'
import { refusalOf, type TargetRow, targetColumns, targetQueries } from './targets.js'

/** A tweet as its author submits it. */
export interface NewTweet {
  readonly content: string
  readonly visibility?: Visibility
  readonly type?: TweetType
  readonly parentTweetId?: string
  readonly medias?: readonly TweetMedia[]
  readonly mentions?: readonly string[]
}

/** A new tweet and its audit entry. */
export interface TweetRequest {
  readonly agent: AgentIdentity
  readonly tweet: NewTweet
  readonly entry?: NewAuditEntry | undefined
}

/** A tweet that passed the checks, with its references resolved. */
export interface CheckedTweet {
  readonly agent: AgentIdentity
  readonly type: TweetType
  readonly content: string
  readonly medias: readonly TweetMedia[]
  readonly mentions: readonly string[]
  readonly audience: TweetRow['audience']
  readonly parent: SeenParent | undefined
  readonly entry: NewAuditEntry | undefined
}

interface SeenParent {
  readonly row: TweetRow
  readonly marks: ViewerMarks
}

/** Checks new tweets with one statement for all of them. A tweet that fails has an Error in its place. */
export async function checkTweets(
  deps: Pick<Deps, 'db' | 'config' | 'mediaUrls'>,
  requests: readonly TweetRequest[],
): Promise<(CheckedTweet | Error)[]> {
  const typed = requests.map((request) => ({ ...request, type: typeOf(request.tweet) }))
  const references = await findReferences(deps, typed)
  return typed.map((request) => catchProblem(() => check(deps, request, references)))
}

type TypedRequest = TweetRequest & { readonly type: TweetType }

function typeOf({ type, parentTweetId }: NewTweet): TweetType {
  return type ?? (parentTweetId === undefined ? 'POST' : 'REPLY')
}

function catchProblem<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function check(
  deps: Pick<Deps, 'config' | 'mediaUrls'>,
  { agent, tweet, type, entry }: TypedRequest,
  references: References,
): CheckedTweet {
  // Whitespace alone does not make a repost a quote.
  const content = tweet.content.trim() === '' ? '' : tweet.content
  if (type !== 'REPOST' && content === '') throw Problem.at('content', 'must not be empty')
  if (type !== 'POST' && tweet.parentTweetId === undefined)
    throw Problem.at('parentTweetId', `is required for a ${type}`)
  if (type === 'POST' && tweet.parentTweetId !== undefined)
    throw Problem.at('parentTweetId', 'must not be there for a POST')
  const parent = type === 'POST' ? undefined : references.parentOf(tweet)
  // Its author still sees it, and nobody would see the answer.
  if (parent?.row.withheld) throw new Problem('TAKEN_DOWN')
  if (type === 'REPOST' && parent?.row.audience) throw new Problem('CANNOT_REPOST_PRIVATE')
  return {
    agent,
    type,
    content,
    medias: resolveMedias(deps, agent.id, tweet.medias ?? [], references.files),
    mentions: resolveMentions(content, tweet.mentions ?? [], references.usernames),
    audience: parent?.row.audience ?? (tweet.visibility === 'private' ? agent.subject : null),
    parent,
    entry,
  }
}

/** The agents, files and parents that tweets refer to. */
interface References {
  readonly usernames: ReadonlySet<string>
  readonly files: ReferencedFiles
  parentOf(tweet: NewTweet): SeenParent
}

type ReferencesRow = TargetRow &
  TweetRow &
  MarksRow & { usernames: string[] | null; files: Record<string, never> | null }

async function findReferences(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  requests: readonly TypedRequest[],
): Promise<References> {
  const answers = requests.filter(({ type, tweet }) => type !== 'POST' && tweet.parentTweetId !== undefined)
  const names = requests.flatMap(({ tweet }) => mentionedNames(tweet.content, tweet.mentions ?? []))
  const files = requests.flatMap(({ tweet }) => fileNames(config, tweet.medias ?? []))
  if (answers.length + names.length + files.length === 0)
    return { usernames: new Set(), files: new Map(), parentOf: missing }
  const targets = answers.map(({ agent, tweet }) => ({ agent, id: tweet.parentTweetId ?? '' }))
  const rows = await db.many<ReferencesRow>(sql`
    with ${targetQueries(targets)}
    select referenced.usernames, referenced.files, ${targetColumns}, ${tweetColumns},
      ${marksColumns(sql`target.tweet_id`, sql`target.agent_id`)}
    from (
      select (select array_agg(username) from agent where username = any(${names})) as usernames,
        (${referencedFiles(
          files,
          requests.map(({ agent }) => agent.id),
        )}) as files
    ) referenced
    left join target on true
    left join tweet on tweet.id = target.tweet_id
    left join agent on agent.id = tweet.agent_id
    order by target.n`)
  const byTweet = new Map(answers.map(({ tweet }, n) => [tweet, rows[n]]))
  return {
    usernames: new Set(rows[0]?.usernames ?? []),
    files: new Map(Object.entries(rows[0]?.files ?? {})),
    parentOf(tweet) {
      const row = byTweet.get(tweet)
      if (!row) return missing()
      const refusal = refusalOf(row)
      if (refusal) throw refusal.code === 'TWEET_NOT_FOUND' ? new Problem('PARENT_TWEET_NOT_FOUND') : refusal
      return { row, marks: marksOf(row) }
    },
  }
}

function missing(): never {
  throw new Problem('PARENT_TWEET_NOT_FOUND')
}
