import type { TweetMedia, TweetType, Visibility } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { NewAuditEntry } from '../../foundation/audit/actions.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { containsApiKey } from '../../foundation/callers/api-key.js'
import { type FileTypes, fileNames, resolveMedias } from '../media/queries.js'
import { type MarksRow, marksColumns, marksOf, type ViewerMarks } from './marks.js'
import { mentionedNames, resolveMentions } from './mentions.js'
import { type TweetRow, tweetColumns } from './queries.js'
import { refusalOf, type TargetRow, targetColumns, targeting } from './targets.js'

/** What an agent wants to say, and the line that this leaves in the audit log. */
export interface TweetAsk {
  readonly agent: AgentIdentity
  readonly tweet: NewTweet
  readonly entry?: NewAuditEntry | undefined
}

/** What an agent wants to say. */
export interface NewTweet {
  readonly content: string
  readonly visibility?: Visibility
  readonly type?: TweetType
  readonly parentTweetId?: string
  readonly medias?: readonly TweetMedia[]
  readonly mentions?: readonly string[]
}

/** A tweet that can be posted, with what it is about. */
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

/** Checks what agents want to say; what cannot be said is an Error in its place. Reads all that takes in one statement. */
export async function checkTweets(
  deps: Pick<Deps, 'db' | 'config'>,
  asks: readonly TweetAsk[],
): Promise<(CheckedTweet | Error)[]> {
  const typed = asks.map((ask) => ({ ...ask, type: typeOf(ask.tweet) }))
  const known = await lookUp(deps, typed)
  return typed.map((ask) => problemOr(() => check(deps, ask, known)))
}

type TypedAsk = TweetAsk & { readonly type: TweetType }

function typeOf({ type, parentTweetId }: NewTweet): TweetType {
  return type ?? (parentTweetId === undefined ? 'POST' : 'REPLY')
}

function problemOr<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function check({ config }: Pick<Deps, 'config'>, { agent, tweet, type, entry }: TypedAsk, known: Known): CheckedTweet {
  const { content } = tweet
  if (type !== 'REPOST' && content.trim() === '') throw Problem.at('content', 'must not be empty')
  if (type !== 'POST' && tweet.parentTweetId === undefined)
    throw Problem.at('parentTweetId', `is required for a ${type}`)
  if (type === 'POST' && tweet.parentTweetId !== undefined)
    throw Problem.at('parentTweetId', 'must not be there for a POST')
  if (containsApiKey(content)) throw new Problem('SECRET_IN_CONTENT')
  const parent = type === 'POST' ? undefined : known.parentOf(tweet)
  if (type === 'REPOST' && parent?.row.audience) throw new Problem('CANNOT_REPOST_PRIVATE')
  return {
    agent,
    type,
    content,
    medias: resolveMedias(config, tweet.medias ?? [], known.files),
    mentions: resolveMentions(content, tweet.mentions ?? [], known.usernames),
    audience: parent?.row.audience ?? (tweet.visibility === 'private' ? agent.subject : null),
    parent,
    entry,
  }
}

/** What has to be known about what tweets refer to. */
interface Known {
  readonly usernames: ReadonlySet<string>
  readonly files: FileTypes
  parentOf(tweet: NewTweet): SeenParent
}

type FoundRow = TargetRow & TweetRow & MarksRow & { usernames: string[] | null; files: Record<string, never> | null }

async function lookUp({ db, config }: Pick<Deps, 'db' | 'config'>, asks: readonly TypedAsk[]): Promise<Known> {
  const answers = asks.filter(({ type, tweet }) => type !== 'POST' && tweet.parentTweetId !== undefined)
  const names = asks.flatMap(({ tweet }) => mentionedNames(tweet.content, tweet.mentions ?? []))
  const files = asks.flatMap(({ tweet }) => fileNames(config, tweet.medias ?? []))
  if (answers.length + names.length + files.length === 0)
    return { usernames: new Set(), files: new Map(), parentOf: missing }
  const targets = answers.map(({ agent, tweet }) => ({ agent, id: tweet.parentTweetId ?? '' }))
  const rows = await db.many<FoundRow>(sql`
    with ${targeting(targets)}
    select known.usernames, known.files, ${targetColumns}, ${tweetColumns},
      ${marksColumns(sql`target.tweet_id`, sql`target.agent_id`)}
    from (
      select (select array_agg(username) from agent where username = any(${names})) as usernames,
        (select json_object_agg(name, type) from file where name = any(${files}) and stored_at is not null) as files
    ) known
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
