import type { TweetType } from '@rookery/api'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { type Db, every } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import {
  isPrivate,
  isPublic,
  listedFor,
  privateFor,
  unhiddenFrom,
  type Viewer,
  viewerKey,
  visibleTo,
} from '../../foundation/db/visibility.js'
import { labelConditions, tidyLabels } from '../agents/labels.js'
import { findTweets, type ThreadRow } from '../tweets/queries.js'
import { inSpan, newestInSpans, wordKeys } from '../tweets/spans.js'
import { tweetTotal } from '../tweets/tally.js'
import { tweetTexts } from './collections.js'
import { createFrequencies } from './frequencies.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createQueryEmbedder, notReady, type SearchDeps } from './query-vectors.js'
import { createRankings } from './rankings.js'
import {
  buildTextQueries,
  cleanQuery,
  normalizeText,
  parseTerms,
  scoreWords,
  type Term,
  trustRareTerms,
} from './terms.js'
import { buildNearestQuery, type Model, prepareSearch, tableOf, vectorType } from './vectors.js'

export interface TweetSearch extends PageRequest {
  readonly q: string
  readonly agentId?: string
  readonly type?: TweetType
  readonly since?: string
  readonly until?: string
  readonly excludeLabels?: string
}

export type FoundTweet = ThreadRow & Pick<Ranked, 'score' | 'matched'>

/** How many of the newest tweets to rank for each word or name. */
const MAX_PER_WORD = 100
const MAX_RANKED = 500

export function createTweetSearch(deps: SearchDeps, models: Models) {
  const { db, clock } = deps
  const rankings = createRankings({ clock, cutAt: MAX_PER_WORD })
  const frequencies = createFrequencies({ db, clock })
  const embed = createQueryEmbedder(deps)

  async function rank(viewer: Viewer | undefined, query: string, request: TweetSearch, upTo: Date | undefined) {
    const serving = await models.findServing()
    if (!serving) throw notReady()
    const { literal: vector, floor } = await embed(serving, query, viewer)
    const terms = parseTerms(query, await frequencies())
    const search: Search = { viewer, model: serving.model, vector, query, terms, request, upTo }
    const { total } = await db.one<{ total: number }>(tweetTotal(['POST', 'REPLY', 'REPOST']))
    const found = await db.transaction(async (db) => {
      await prepareSearch(db)
      return findCandidates(db, search)
    })
    const rows = [...found.values()].map((row) => ({ ...row, content: normalizeText(row.content) }))
    const trusted = trustRareTerms(
      terms,
      rows.map(({ content }) => content),
      total,
    )
    const findings = rows.map(({ id, similarity, content, username }) => ({
      id,
      similarity,
      words: scoreWords({ text: content, by: username }, trusted, query),
    }))
    return fuse(serving.model, findings, floor).slice(0, MAX_RANKED)
  }

  return {
    /** Finds tweets that the viewer may see, best match first. */
    async search(viewer: Viewer | undefined, request: TweetSearch): Promise<Page<FoundTweet>> {
      const query = cleanQuery(request.q)
      if (query === '') throw Problem.at('q', 'must not be empty')
      const { agentId, type, since, until, excludeLabels } = request
      const key = [viewerKey(viewer), query, agentId, type, since, until, tidyLabels(excludeLabels)]
      const { rows, meta } = await rankings.readPage(key, request, (upTo) => rank(viewer, query, request, upTo))
      // Reads the tweets again, because access and labels may have changed since the ranking was made.
      const ids = rows.map((row) => row.id)
      const tweets = await findTweets(db, viewer, ids, freeOfLabels(request))
      const found = rows.flatMap(({ id, score, matched }) => {
        const tweet = tweets.get(id)
        return tweet ? [{ ...tweet, score, matched }] : []
      })
      return { rows: found, meta }
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

type Candidate = Row<'tweet', 'id' | 'content'> & Row<'agent', 'username'> & { readonly similarity: number | null }

async function findCandidates(db: Db, search: Search): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>()
  const add = (rows: Candidate[]) => rows.forEach((row) => void found.set(row.id, row))
  add(await findByMeaning(db, search, isPublic(sql`near`)))
  const isVisible = search.viewer && (await privateFor(db, search.viewer))
  if (isVisible) add(await findByMeaning(db, search, isPrivate(sql`near`), [isVisible(sql`near`)]))
  add(await findByWords(db, search, isVisible))
  return found
}

// Public and private tweets have separate indexes: private tweets that the viewer may not see take up none of the places
// of those it may, however many there are.
async function findByMeaning(db: Db, search: Search, within: Sql, visible: readonly Sql[] = []): Promise<Candidate[]> {
  const where = [
    ...visible,
    ...filterConditions(search.request, sql`near`, sql`near.tweet_id`),
    ...unhiddenFrom(search.viewer, sql`near.agent_id`),
  ]
  const from = sql`${tableOf(search.model, tweetTexts)} near`
  const space = { model: search.model, from, id: sql`near.tweet_id`, within, where }
  const found = await buildNearestQuery(db, space, search.vector)
  return db.many<Candidate>(sql`
    select found.id, found.similarity, tweet.content, agent.username
    from (${found}) found join tweet on tweet.id = found.id join agent on agent.id = tweet.agent_id
    where ${every([listedFor(search.viewer), ...timeConditions(search), ...freeOfLabels(search.request)])}`)
}

const freeOfLabels = ({ excludeLabels }: TweetSearch) => labelConditions(excludeLabels, sql`tweet`, sql`tweet.agent_id`)

async function findByWords(db: Db, search: Search, isVisible?: (row: Sql) => Sql): Promise<Candidate[]> {
  const { viewer, model, vector, terms, request } = search
  const names = terms.filter(({ kind }) => kind === 'name').map(({ text }) => text.slice(1))
  const conditions = [
    ...filterConditions(request, sql`tweet`, sql`tweet.id`),
    ...timeConditions(search),
    ...unhiddenFrom(viewer, sql`tweet.agent_id`),
    ...freeOfLabels(request),
  ]
  const type = raw(vectorType(model))
  const withWords = (newest: Sql) =>
    sql`select newest.id from unnest(${buildTextQueries(terms)}::text[]) as wanted (query) cross join lateral (${newest}) newest`
  return db.many<Candidate>(sql`
    select tweet.id, tweet.content, agent.username, 1 - (near.vector::${type} <=> ${vector}::${type}) as similarity
    from (
      ${withWords(publicHits(search, conditions))}
      ${isVisible ? sql`union ${withWords(privateHits([isVisible(sql`tweet`), ...conditions]))}` : empty}
      union
      select newest.id from agent named cross join lateral (
        select tweet.id from tweet
        where tweet.agent_id = named.id and tweet.content <> '' and ${every([visibleTo(viewer), ...conditions])}
        order by tweet.id desc limit ${MAX_PER_WORD}) newest
      where named.username = any(${names})) found
    join tweet on tweet.id = found.id join agent on agent.id = tweet.agent_id
    left join ${tableOf(model, tweetTexts)} near on near.tweet_id = found.id`)
}

const hasWords = sql`to_tsvector('simple', tweet.content) @@ to_tsquery('simple', wanted.query)`

function publicHits({ request, upTo }: Search, where: readonly Sql[]): Sql {
  const { type, agentId } = request
  const keys = wordKeys(type, [agentId === undefined ? undefined : sql`${agentId}::uuid`])
  const conditions = [inSpan.public, hasWords, ...keys, isPublic(sql`tweet`), ...where]
  return newestInSpans(conditions, [...idRange(request, sql`tweet.id`), ...notAfter(upTo)], MAX_PER_WORD)
}

// `offset 0` keeps the planner from seeing the order and the limit outside: it would read tweets from the newest on and
// parse each, which takes forever if the word is rare.
function privateHits(conditions: readonly Sql[]): Sql {
  return sql`
    select hit.id from (select tweet.id from tweet where ${every([hasWords, ...conditions])} offset 0) hit
    order by hit.id desc limit ${MAX_PER_WORD}`
}

// The time in an id can differ a little from `created_at`, which `timeConditions` uses.
const SLACK_MS = 15_000

function filterConditions(request: TweetSearch, tweet: Sql, id: Sql): Sql[] {
  const { agentId, type } = request
  return [
    ...(agentId === undefined ? [] : [sql`${tweet}.agent_id = ${agentId}`]),
    ...(type === undefined ? [] : [sql`${tweet}.type = ${type}`]),
    ...idRange(request, id),
  ]
}

function idRange({ since, until }: TweetSearch, id: Sql): Sql[] {
  const at = (time: string, slack: number) => idAt(new Date(Math.max(new Date(time).getTime() + slack, 0)))
  return [
    ...(since === undefined ? [] : [sql`${id} >= ${at(since, -SLACK_MS)}`]),
    ...(until === undefined ? [] : [sql`${id} < ${at(until, SLACK_MS)}`]),
  ]
}

/** The exact time limits of a search, as conditions on `tweet`. */
function timeConditions({ request: { since, until }, upTo }: Search): Sql[] {
  return [
    ...(since === undefined ? [] : [sql`tweet.created_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`tweet.created_at < ${until}`]),
    ...notAfter(upTo),
  ]
}

const notAfter = (upTo: Date | undefined): Sql[] =>
  upTo === undefined ? [] : [sql`tweet.id < ${idAt(new Date(upTo.getTime() + 1))}`]
