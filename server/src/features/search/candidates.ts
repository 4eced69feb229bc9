import type { TweetType } from '@rookery/api'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import {
  audiencesOf,
  isPrivate,
  isPublic,
  listedFor,
  privateWithin,
  unhiddenFrom,
  type Viewer,
} from '../../foundation/db/visibility.js'
import { labelConditions } from '../agents/labels.js'
import type { StateOf } from '../tweets/chosen-pages.js'
import { tweetAt } from '../tweets/queries.js'
import { inSpan, newestInSpans, wordKeys } from '../tweets/spans.js'
import { tweetTotal } from '../tweets/tally.js'
import { tweetTexts } from './collections.js'
import { buildTextQueries, type Term } from './terms.js'
import { DEPTH, isPrepared, type Model, nearestQuery, prepared, prepareSearch, tableOf, vectorType } from './vectors.js'

/** Which tweets a search is for. */
export interface SearchFilters {
  readonly agentId?: string
  readonly type?: TweetType
  readonly since?: string
  readonly until?: string
  readonly excludeLabels?: string
}

/** What a search looks for. */
export interface Wanted {
  readonly query: string
  readonly terms: readonly Term[]
  readonly model: Model
  readonly vector: string
  /** The similarity under which a text is no nearer to the query than nonsense. */
  readonly floor: number
  readonly filters: SearchFilters
  /** Looks for what was posted up to this time. */
  readonly upTo: Date | undefined
}

export interface CandidateRow {
  readonly id: string
  readonly agent_id: string
  readonly content: string
  readonly username: string
  readonly similarity: number | null
  /** The number of public tweets. */
  readonly total: number
  /** Whether a source of candidates reached its limit. */
  readonly is_full: boolean
}

/** How many of the newest tweets to rank for each word or name. */
export const MAX_PER_WORD = 100

/** Finds candidates among public tweets; those hidden from `viewer` take none of the places. */
export function findPublic(db: Db, wanted: Wanted, viewer: Viewer | undefined): Promise<CandidateRow[]> {
  const { type, agentId } = wanted.filters
  const keys = wordKeys(type, [agentId === undefined ? undefined : sql`${agentId}::uuid`])
  const isListed = (row: Sql, author = sql`${row}.agent_id`) => every([isPublic(row), ...unhiddenFrom(viewer, author)])
  return find(db, wanted, {
    within: isPublic(sql`near`),
    where: unhiddenFrom(viewer, sql`near.agent_id`),
    isListed: isListed(sql`tweet`),
    hits: (conditions) =>
      newestInSpans(
        [inSpan.public, hasWords, ...keys, isListed(sql`tweet`), ...conditions],
        idConditions(wanted, sql`tweet.id`),
        MAX_PER_WORD,
      ),
  })
}

/** A candidate, without what is the same for all. */
export type Candidate = Omit<CandidateRow, 'total' | 'is_full'>

// Private tweets of which all can be candidates: with more, a search looks for the best of them by itself.
const MOST_TOGETHER = DEPTH
const MANY = 'many'

/**
 * The private tweets that `viewer` may see, all of them candidates, as JSON; null if there are none. `vectors` are those of
 * the searches of the viewers.
 */
export function privateCandidates(model: Model, vectors: readonly string[]): StateOf {
  const type = raw(vectorType(model))
  const most = raw(String(MOST_TOGETHER + 1))
  return (viewer) => sql`(
    select case when count(*) = ${most} then to_json(${MANY}::text) else json_agg(json_build_object(
      'id', tweet.id, 'agent_id', tweet.agent_id, 'content', tweet.content, 'username', agent.username, 'similarity', near.similarity)) end::text
    from (
      select id from (
        (select id from tweet where ${isPrivate(sql`tweet`)} and tweet.agent_id = ${viewer}.id order by id desc limit ${most})
        union
        select open.id from (${audiencesOf(viewer)}) member (audience) cross join lateral (
          select id from tweet where tweet.audience = member.audience order by id desc limit ${most}) open) seen
      limit ${most}) chosen
    cross join (select ((${vectors}::text[])[${viewer}.n + 1])::${type} as vector offset 0) wanted
    ${tweetAt(sql`chosen.id`)}
    left join lateral (
      select 1 - (stored.vector::${type} <=> wanted.vector) as similarity
      from ${tableOf(model, tweetTexts)} stored where stored.tweet_id = chosen.id limit 1) near on true)`
}

/** Reads what `privateCandidates` wrote; undefined if there are too many. */
export function readCandidates(state: string | null): readonly Candidate[] | undefined {
  const candidates: readonly Candidate[] | typeof MANY = state === null ? [] : JSON.parse(state)
  return candidates === MANY ? undefined : candidates
}

/** Finds candidates among the private tweets that the viewer may see. */
export function findPrivate(db: Db, wanted: Wanted, viewer: Viewer): Promise<CandidateRow[]> {
  const isMine = (row: Sql) => every([privateWithin(viewer, row), ...unhiddenFrom(viewer, sql`${row}.agent_id`)])
  return find(db, wanted, {
    within: isPrivate(sql`near`),
    where: [isMine(sql`near`)],
    whereMany: [listedFor(viewer, sql`near`)],
    isListed: every([listedFor(viewer), isPrivate(sql`tweet`)]),
    // `offset 0` keeps the planner from seeing the order and the limit outside: it would read tweets from the newest on
    // and parse each, which takes forever if the word is rare.
    hits: (conditions) => sql`
      select hit.id from (
        select tweet.id from tweet where ${every([hasWords, isMine(sql`tweet`), ...conditions])} offset 0) hit
      order by hit.id desc limit ${MAX_PER_WORD}`,
  })
}

const hasWords = sql`to_tsvector('simple', tweet.content) @@ to_tsquery('simple', wanted.query)`

// Public and private tweets have separate indexes: private tweets that the viewer may not see take up none of the places
// of those it may, however many there are.
interface Source {
  /** The condition of the vector index, and conditions on the rows of its table. */
  readonly within: Sql
  readonly where: readonly Sql[]
  readonly whereMany?: readonly Sql[]
  /** Which tweets are listed, as a condition on `tweet`. */
  readonly isListed: Sql
  /** A query for the newest tweets with the words of `wanted.query`. */
  hits(conditions: readonly Sql[]): Sql
}

function find(db: Db, wanted: Wanted, source: Source): Promise<CandidateRow[]> {
  const query = candidatesQuery(wanted, source)
  if (!isNarrowed(wanted)) return db.many<CandidateRow>(query)
  // Which plan is best depends on the parameters.
  return db.transaction(async (db) => {
    await prepareSearch(db)
    return db.many<CandidateRow>(query)
  })
}

export const isNarrowed = ({ filters, upTo }: Pick<Wanted, 'filters' | 'upTo'>) =>
  upTo !== undefined || Object.values(filters).some((value) => value !== undefined)

function candidatesQuery(wanted: Wanted, { within, where, whereMany = where, isListed, hits }: Source): Sql {
  const { model, vector, terms, filters } = wanted
  const table = tableOf(model, tweetTexts)
  const type = raw(vectorType(model))
  const names = terms.filter(({ kind }) => kind === 'name').map(({ text }) => text.slice(1))
  const narrow = [...filterConditions(filters, sql`near`), ...idConditions(wanted, sql`near.tweet_id`)]
  const space = {
    model,
    from: sql`${table} near`,
    id: sql`near.tweet_id`,
    within,
    where: [...where, ...narrow],
    whereMany: [...whereMany, ...narrow],
  }
  const conditions = [
    ...filterConditions(filters, sql`tweet`),
    ...idConditions(wanted, sql`tweet.id`),
    ...timeConditions(filters),
    ...freeOfLabels(filters),
  ]
  const named = sql`
    union
    select newest.id from agent named cross join lateral (
      select tweet.id from tweet
      where tweet.agent_id = named.id and tweet.content <> '' and ${every([isListed, ...conditions])}
      order by tweet.id desc limit ${MAX_PER_WORD}) newest
    where named.username = any(${names})`
  // The words are a subquery so that the plan does not depend on them: it is made once for each connection.
  return sql`
    with ${prepared},
    nearest as materialized (${nearestQuery(space, vector)}),
    worded as materialized (
      select newest.id from unnest((select ${buildTextQueries(terms)}::text[])) as wanted (query)
      cross join lateral (${hits(conditions)}) newest where ${isPrepared}
      ${names.length > 0 ? named : empty}),
    candidate as (
      select id, similarity from nearest
      union all
      select others.id, 1 - (near.vector::${type} <=> ${vector}::${type})
      from (select id from worded except select id from nearest) others
      left join lateral (select vector from ${table} stored where stored.tweet_id = others.id limit 1) near on true)
    select candidate.id, candidate.similarity, tweet.agent_id, tweet.content, agent.username,
      (${tweetTotal(['POST', 'REPLY', 'REPOST'])}) as total,
      (select count(*) from nearest) >= ${raw(String(DEPTH))}
        or (select count(*) from worded) >= ${raw(String(MAX_PER_WORD))} as is_full
    from candidate ${tweetAt(sql`candidate.id`)}
    where tweet.id is not null and ${every([isListed, ...conditions])}`
}

/** Whether neither a tweet nor its author has a label to leave out. */
export const freeOfLabels = ({ excludeLabels }: SearchFilters) =>
  labelConditions(excludeLabels, sql`tweet`, sql`tweet.agent_id`)

function filterConditions({ agentId, type }: SearchFilters, row: Sql): Sql[] {
  return [
    ...(agentId === undefined ? [] : [sql`${row}.agent_id = ${agentId}`]),
    ...(type === undefined ? [] : [sql`${row}.type = ${type}`]),
  ]
}

// The time in an id can differ a little from `created_at`, which `timeConditions` uses.
const SLACK_MS = 15_000

function idConditions({ filters: { since, until }, upTo }: Wanted, id: Sql): Sql[] {
  const at = (time: string, slack: number) => idAt(new Date(Math.max(new Date(time).getTime() + slack, 0)))
  return [
    ...(since === undefined ? [] : [sql`${id} >= ${at(since, -SLACK_MS)}`]),
    ...(until === undefined ? [] : [sql`${id} < ${at(until, SLACK_MS)}`]),
    ...(upTo === undefined ? [] : [sql`${id} < ${idAt(new Date(upTo.getTime() + 1))}`]),
  ]
}

function timeConditions({ since, until }: SearchFilters): Sql[] {
  return [
    ...(since === undefined ? [] : [sql`tweet.created_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`tweet.created_at < ${until}`]),
  ]
}
