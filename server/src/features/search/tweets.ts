import type { TweetType } from '@rookery/api'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { type Db, every } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { isPrivate, isPublic, privateFor, type Viewer, visibleTo } from '../../foundation/db/visibility.js'
import { findTweets, type ThreadRow } from '../tweets/queries.js'
import { inSpan, newestInSpans, wordKeys } from '../tweets/spans.js'
import { tweetTotal } from '../tweets/tally.js'
import { tweetTexts } from './collections.js'
import { createFrequencies } from './frequencies.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createQuestions, notReady } from './question.js'
import { createRankings } from './rankings.js'
import { cleanQuery, readable, type Term, termsOf, textQueries, trustRare, wordsIn } from './terms.js'
import { type Model, nearest, prepareSearch, tableOf, vectorType } from './vectors.js'

/** What is looked for, and among which tweets. */
export interface TweetSearch extends PageRequest {
  readonly q: string
  readonly agentId?: string
  readonly type?: TweetType
  readonly since?: string
  readonly until?: string
}

export type FoundTweet = ThreadRow & Pick<Ranked, 'score' | 'matched'>

/** Newest tweets that are taken for each word or name. */
const MOST_PER_WORD = 100
const MOST_RANKED = 500

export function createTweetSearch({ db, clock }: Pick<Deps, 'db' | 'clock'>, models: Models) {
  const rankings = createRankings({ clock })
  const frequencies = createFrequencies({ db, clock })
  const embed = createQuestions()

  async function rank(viewer: Viewer | undefined, query: string, request: TweetSearch, upTo: Date | undefined) {
    const serving = await models.findServing()
    if (!serving) throw notReady()
    const vector = await embed(serving, query)
    const terms = termsOf(query, await frequencies())
    const search: Search = { viewer, model: serving.model, vector, query, terms, request, upTo }
    const { total } = await db.one<{ total: number }>(tweetTotal(['POST', 'REPLY', 'REPOST']))
    const found = await db.transaction(async (db) => {
      await prepareSearch(db)
      return findCandidates(db, search)
    })
    const rows = [...found.values()].map((row) => ({ ...row, content: readable(row.content) }))
    const trusted = trustRare(
      terms,
      rows.map(({ content }) => content),
      total,
    )
    const findings = rows.map(({ id, likeness, content, username }) => ({
      id,
      likeness,
      words: wordsIn({ text: content, by: username }, trusted, query),
    }))
    return fuse(serving.model, findings).slice(0, MOST_RANKED)
  }

  return {
    /** Tweets that the viewer may see, the best match first. */
    async search(viewer: Viewer | undefined, request: TweetSearch): Promise<Page<FoundTweet>> {
      const query = cleanQuery(request.q)
      if (query === '') throw Problem.at('q', 'must not be empty')
      const { agentId, type, since, until } = request
      const question = [viewer?.id, query, agentId, type, since, until]
      const { rows, meta } = await rankings.page(question, request, (upTo) => rank(viewer, query, request, upTo))
      // Read again, because access may have been lost since the ranking was made.
      const ids = rows.map((row) => row.id)
      const tweets = await findTweets(db, viewer, ids)
      const shown = rows.flatMap(({ id, score, matched }) => {
        const tweet = tweets.get(id)
        return tweet ? [{ ...tweet, score, matched }] : []
      })
      return { rows: shown, meta }
    },
  }
}

interface Search {
  readonly viewer: Viewer | undefined
  readonly model: Model
  readonly vector: string
  readonly query: string
  readonly terms: readonly Term[]
  readonly request: TweetSearch
  readonly upTo: Date | undefined
}

type Candidate = Row<'tweet', 'id' | 'content'> & Row<'agent', 'username'> & { readonly likeness: number | null }

async function findCandidates(db: Db, search: Search): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>()
  const add = (rows: Candidate[]) => rows.forEach((row) => void found.set(row.id, row))
  add(await findNear(db, search, isPublic(sql`near`)))
  const mine = search.viewer && (await privateFor(db, search.viewer))
  if (mine) add(await findNear(db, search, isPrivate(sql`near`), [mine(sql`near`)]))
  add(await findWritten(db, search, mine))
  return found
}

// Public and private tweets have indexes of their own: however many private ones there are, a search by someone who may
// not see them neither meets them nor comes back with less.
async function findNear(db: Db, search: Search, within: Sql, visible: readonly Sql[] = []): Promise<Candidate[]> {
  const where = [...visible, ...narrowed(search.request, sql`near`, sql`near.tweet_id`)]
  const from = sql`${tableOf(search.model, tweetTexts)} near`
  const space = { model: search.model, from, id: sql`near.tweet_id`, within, where }
  const found = await nearest(db, space, search.vector)
  return db.many<Candidate>(sql`
    select found.id, found.likeness, tweet.content, agent.username
    from (${found}) found join tweet on tweet.id = found.id join agent on agent.id = tweet.agent_id
    where ${every([visibleTo(search.viewer), ...timed(search)])}`)
}

async function findWritten(db: Db, search: Search, mine?: (row: Sql) => Sql): Promise<Candidate[]> {
  const { viewer, model, vector, terms, request } = search
  const names = terms.filter(({ kind }) => kind === 'name').map(({ text }) => text.slice(1))
  const narrow = [...narrowed(request, sql`tweet`, sql`tweet.id`), ...timed(search)]
  const type = raw(vectorType(model))
  const withWords = (newest: Sql) =>
    sql`select newest.id from unnest(${textQueries(terms)}::text[]) as wanted (query) cross join lateral (${newest}) newest`
  return db.many<Candidate>(sql`
    select tweet.id, tweet.content, agent.username, 1 - (near.vector::${type} <=> ${vector}::${type}) as likeness
    from (
      ${withWords(publicHits(search, narrow))}
      ${mine ? sql`union ${withWords(privateHits([mine(sql`tweet`), ...narrow]))}` : empty}
      union
      select newest.id from agent named cross join lateral (
        select tweet.id from tweet
        where tweet.agent_id = named.id and tweet.content <> '' and ${every([visibleTo(viewer), ...narrow])}
        order by tweet.id desc limit ${MOST_PER_WORD}) newest
      where named.username = any(${names})) found
    join tweet on tweet.id = found.id join agent on agent.id = tweet.agent_id
    left join ${tableOf(model, tweetTexts)} near on near.tweet_id = found.id`)
}

const hasWanted = sql`to_tsvector('simple', tweet.content) @@ to_tsquery('simple', wanted.query)`

function publicHits({ request, upTo }: Search, narrow: readonly Sql[]): Sql {
  const { type, agentId } = request
  const keys = wordKeys(type, [agentId === undefined ? undefined : sql`${agentId}::uuid`])
  const conditions = [inSpan.public, hasWanted, ...keys, isPublic(sql`tweet`), ...narrow]
  return newestInSpans(conditions, [...between(request, sql`tweet.id`), ...notAfter(upTo)], MOST_PER_WORD)
}

// Planned by itself, without a look at the order and the limit around it: they would tempt the planner to read tweets
// from the newest on and parse each, which never ends when the word is rare.
function privateHits(conditions: readonly Sql[]): Sql {
  return sql`
    select hit.id from (select tweet.id from tweet where ${every([hasWanted, ...conditions])} offset 0) hit
    order by hit.id desc limit ${MOST_PER_WORD}`
}

// An id can be a little older or younger than the time that is shown, which `timed` goes by.
const SLACK_MS = 15_000

function narrowed(request: TweetSearch, tweet: Sql, id: Sql): Sql[] {
  const { agentId, type } = request
  return [
    ...(agentId === undefined ? [] : [sql`${tweet}.agent_id = ${agentId}`]),
    ...(type === undefined ? [] : [sql`${tweet}.type = ${type}`]),
    ...between(request, id),
  ]
}

function between({ since, until }: TweetSearch, id: Sql): Sql[] {
  const at = (time: string, slack: number) => idAt(new Date(Math.max(new Date(time).getTime() + slack, 0)))
  return [
    ...(since === undefined ? [] : [sql`${id} >= ${at(since, -SLACK_MS)}`]),
    ...(until === undefined ? [] : [sql`${id} < ${at(until, SLACK_MS)}`]),
  ]
}

/** The times of a search exactly, over `tweet`. */
function timed({ request: { since, until }, upTo }: Search): Sql[] {
  return [
    ...(since === undefined ? [] : [sql`tweet.created_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`tweet.created_at < ${until}`]),
    ...notAfter(upTo),
  ]
}

const notAfter = (upTo: Date | undefined): Sql[] =>
  upTo === undefined ? [] : [sql`tweet.id < ${idAt(new Date(upTo.getTime() + 1))}`]
