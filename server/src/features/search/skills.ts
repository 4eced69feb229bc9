import sql, { type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { isPrivate, isPublic, privateFor, type Viewer, viewerKey, visibleTo } from '../../foundation/db/visibility.js'
import { MAX_CONTENT_LENGTH, skillContents, skillTexts } from './collections.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createMeaningFinder, type Meaning, type SearchDeps } from './query-vectors.js'
import { createRankings } from './rankings.js'
import { buildTextQueries, cleanQuery, normalizeText, parseTerms, scoreWords, type Term } from './terms.js'
import { buildNearestQuery, prepareSearch, tableOf } from './vectors.js'

const MAX_PER_WORD = 100
const MAX_RANKED = 500
/** The weight of a word in the content, relative to one in the name, description or tags. */
const CONTENT_WEIGHT = 0.7

/** Finds items by their public name, description and tags, and by the content that the viewer may see. */
export function createSkillSearch(deps: SearchDeps, models: Models) {
  const { db, clock } = deps
  const rankings = createRankings({ clock, cutAt: MAX_PER_WORD })
  const findMeaning = createMeaningFinder(deps, models)

  async function rank(viewer: Viewer | undefined, query: string, where: readonly Sql[]): Promise<Ranked[]> {
    const search: Search = { viewer, query, terms: parseTerms(query), where }
    const meaning = await findMeaning(query, viewer)
    const candidates = await db.transaction(async (db) => {
      await prepareSearch(db)
      const byMeaning = meaning ? await findByMeaning(db, meaning, search) : new Map<string, number>()
      const byWords = await findByWords(db, search)
      return readTexts(db, viewer, [...new Set([...byMeaning.keys(), ...byWords])], byMeaning)
    })
    const findings = candidates.map((candidate) => ({ ...candidate, words: scoreCandidate(candidate, search) }))
    return fuse(meaning?.serving.model ?? { noise: 0, spread: 1 }, findings, meaning?.floor).slice(0, MAX_RANKED)
  }

  return {
    /** Whether a search has any text to look for. */
    isSearchable: (search: string) => cleanQuery(search) !== '',
    /** Returns all matches, best first. */
    rank: (viewer: Viewer | undefined, search: string, where: readonly Sql[]) =>
      rank(viewer, cleanQuery(search), where),
    /** Returns a page of the matches. `where` must derive from `filters`, which identify the cached ranking. */
    readPage(
      viewer: Viewer | undefined,
      search: string,
      filters: object,
      request: PageRequest,
      where: readonly Sql[],
    ): Promise<Page<Ranked>> {
      const query = cleanQuery(search)
      return rankings.readPage(['skills', viewerKey(viewer), query, filters], request, () => rank(viewer, query, where))
    },
  }
}

interface Search {
  readonly viewer: Viewer | undefined
  readonly query: string
  readonly terms: readonly Term[]
  /** Conditions on `skill`. */
  readonly where: readonly Sql[]
}

// Searches public details, public contents and private contents separately: items that the viewer may not see take up
// none of the places of those it may.
async function findByMeaning(
  db: Db,
  { serving: { model }, vector }: Meaning,
  search: Search,
): Promise<Map<string, number>> {
  const { viewer, where } = search
  const id = sql`near.skill_id`
  const about = sql`${tableOf(model, skillTexts)} near join skill on skill.id = near.skill_id`
  const content = sql`${tableOf(model, skillContents)} near join skill on skill.id = near.skill_id`
  const isVisible = viewer && (await privateFor(db, viewer))
  const spaces = [
    { model, from: about, id, within: sql`true`, where },
    { model, from: content, id, within: isPublic(sql`near`), where: [isPublic(sql`skill`), ...where] },
    ...(isVisible
      ? [{ model, from: content, id, within: isPrivate(sql`near`), where: [isVisible(sql`skill`), ...where] }]
      : []),
  ]
  const found = new Map<string, number>()
  for (const space of spaces)
    for (const { id, similarity } of await db.many<Row<'skill', 'id'> & { similarity: number }>(
      await buildNearestQuery(db, space, vector),
    ))
      found.set(id, Math.max(similarity, found.get(id) ?? Number.NEGATIVE_INFINITY))
  return found
}

async function findByWords(db: Db, { viewer, terms, where }: Search): Promise<string[]> {
  const rows = await db.many<Row<'skill', 'id'>>(sql`
    select distinct hit.id from unnest(${buildTextQueries(terms)}::text[]) as wanted (query) cross join lateral (
      (select skill.id from skill
        where to_tsvector('simple', name || ' ' || description) @@ to_tsquery('simple', wanted.query)
          and ${every(where)}
        order by skill.users_count desc, skill.id desc limit ${MAX_PER_WORD})
      union
      (select skill.id from skill_version version join skill on skill.id = version.skill_id
        where version.is_current
          and to_tsvector('simple', left(version.content, 20000)) @@ to_tsquery('simple', wanted.query)
          and ${visibleTo(viewer, sql`skill`)} and ${every(where)}
        order by skill.users_count desc, skill.id desc limit ${MAX_PER_WORD})) hit
    union
    select skill.id from skill
    where skill.tags && ${terms.map(({ text }) => text.replace(/^#/, ''))}::text[] and ${every(where)}
    limit ${MAX_RANKED}`)
  return rows.map(({ id }) => id)
}

interface Candidate {
  readonly id: string
  readonly similarity: number | null
  readonly about: string
  /** Empty if the viewer may not see the content. */
  readonly content: string
  readonly username: string
}

async function readTexts(
  db: Db,
  viewer: Viewer | undefined,
  ids: readonly string[],
  similarities: ReadonlyMap<string, number>,
): Promise<Candidate[]> {
  const rows = await db.many<Omit<Candidate, 'similarity'>>(sql`
    select skill.id, agent.username,
      skill.name || ' ' || skill.description || ' ' || array_to_string(skill.tags, ' ') as about,
      case when ${visibleTo(viewer, sql`skill`)} then left(coalesce(version.content, ''), ${MAX_CONTENT_LENGTH}) else '' end
        as content
    from skill join agent on agent.id = skill.agent_id
    left join skill_version version on version.skill_id = skill.id and version.is_current
    where skill.id = any(${ids}::uuid[])`)
  return rows.map((row) => ({ ...row, similarity: similarities.get(row.id) ?? null }))
}

function scoreCandidate({ about, content, username }: Candidate, { terms, query }: Search): number {
  const aboutScore = scoreWords({ text: normalizeText(about), by: username }, terms, query)
  return Math.max(aboutScore, CONTENT_WEIGHT * scoreWords({ text: normalizeText(content) }, terms, query))
}
