import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type Db, every } from '../../foundation/db/db.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { isPrivate, isPublic, privateFor, type Viewer, visibleTo } from '../../foundation/db/visibility.js'
import { CONTENT_READ, skillContents, skillTexts } from './collections.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createMeanings, type Meaning } from './question.js'
import { createRankings } from './rankings.js'
import { cleanQuery, readable, type Term, termsOf, textQueries, wordsIn } from './terms.js'
import { nearest, prepareSearch, tableOf } from './vectors.js'

const MOST_PER_WORD = 100
const MOST_RANKED = 500
/** How much a word in the content counts beside one in what is told of the item. */
const IN_CONTENT = 0.7

/** Finds items by what is told of them, which everyone may, and by their content, which those may who can see it. */
export function createSkillSearch({ db, clock }: Pick<Deps, 'db' | 'clock'>, models: Models) {
  const rankings = createRankings({ clock })
  const findMeaning = createMeanings(models)

  async function rank(viewer: Viewer | undefined, query: string, where: readonly Sql[]): Promise<Ranked[]> {
    const search: Search = { viewer, query, terms: termsOf(query), where }
    const meaning = await findMeaning(query)
    const candidates = await db.transaction(async (db) => {
      await prepareSearch(db)
      const near = meaning ? await findNear(db, meaning, search) : new Map<string, number>()
      const written = await findWritten(db, search)
      return readTexts(db, viewer, [...new Set([...near.keys(), ...written])], near)
    })
    const findings = candidates.map((candidate) => ({ ...candidate, words: wordsOf(candidate, search) }))
    return fuse(meaning?.serving.model ?? { noise: 0, spread: 1 }, findings).slice(0, MOST_RANKED)
  }

  return {
    /** Whether there is anything to look for. */
    isQuestion: (search: string) => cleanQuery(search) !== '',
    /** All that was found, the best match first. */
    rank: (viewer: Viewer | undefined, search: string, where: readonly Sql[]) =>
      rank(viewer, cleanQuery(search), where),
    /** A page of it. `filters` are what `where` was made from. */
    page(
      viewer: Viewer | undefined,
      search: string,
      filters: object,
      request: PageRequest,
      where: readonly Sql[],
    ): Promise<Page<Ranked>> {
      const query = cleanQuery(search)
      return rankings.page(['skills', viewer?.id, query, filters], request, () => rank(viewer, query, where))
    },
  }
}

interface Search {
  readonly viewer: Viewer | undefined
  readonly query: string
  readonly terms: readonly Term[]
  /** Narrows it, over `skill`. */
  readonly where: readonly Sql[]
}

// What is told of items and their contents are in spaces of their own, and so are public and private contents: what
// somebody may not see is neither met nor takes a place.
async function findNear(db: Db, { serving: { model }, vector }: Meaning, search: Search): Promise<Map<string, number>> {
  const { viewer, where } = search
  const id = sql`near.skill_id`
  const about = sql`${tableOf(model, skillTexts)} near join skill on skill.id = near.skill_id`
  const content = sql`${tableOf(model, skillContents)} near join skill on skill.id = near.skill_id`
  const mine = viewer && (await privateFor(db, viewer))
  const spaces = [
    { model, from: about, id, within: sql`true`, where },
    { model, from: content, id, within: isPublic(sql`near`), where: [isPublic(sql`skill`), ...where] },
    ...(mine ? [{ model, from: content, id, within: isPrivate(sql`near`), where: [mine(sql`skill`), ...where] }] : []),
  ]
  const found = new Map<string, number>()
  for (const space of spaces)
    for (const { id, likeness } of await db.many<Row<'skill', 'id'> & { likeness: number }>(
      await nearest(db, space, vector),
    ))
      found.set(id, Math.max(likeness, found.get(id) ?? Number.NEGATIVE_INFINITY))
  return found
}

async function findWritten(db: Db, { viewer, terms, where }: Search): Promise<string[]> {
  const rows = await db.many<Row<'skill', 'id'>>(sql`
    select distinct hit.id from unnest(${textQueries(terms)}::text[]) as wanted (query) cross join lateral (
      (select skill.id from skill
        where to_tsvector('simple', name || ' ' || description) @@ to_tsquery('simple', wanted.query)
          and ${every(where)}
        order by skill.users_count desc, skill.id desc limit ${MOST_PER_WORD})
      union
      (select skill.id from skill_version version join skill on skill.id = version.skill_id
        where version.is_current
          and to_tsvector('simple', left(version.content, 20000)) @@ to_tsquery('simple', wanted.query)
          and ${visibleTo(viewer, sql`skill`)} and ${every(where)}
        order by skill.users_count desc, skill.id desc limit ${MOST_PER_WORD})) hit
    union
    select skill.id from skill
    where skill.tags && ${terms.map(({ text }) => text.replace(/^#/, ''))}::text[] and ${every(where)}
    limit ${MOST_RANKED}`)
  return rows.map(({ id }) => id)
}

interface Candidate {
  readonly id: string
  readonly likeness: number | null
  readonly about: string
  /** Empty for those who may not see it. */
  readonly content: string
  readonly username: string
}

async function readTexts(
  db: Db,
  viewer: Viewer | undefined,
  ids: readonly string[],
  near: ReadonlyMap<string, number>,
): Promise<Candidate[]> {
  const rows = await db.many<Omit<Candidate, 'likeness'>>(sql`
    select skill.id, agent.username,
      skill.name || ' ' || skill.description || ' ' || array_to_string(skill.tags, ' ') as about,
      case when ${visibleTo(viewer, sql`skill`)} then left(coalesce(version.content, ''), ${CONTENT_READ}) else '' end
        as content
    from skill join agent on agent.id = skill.agent_id
    left join skill_version version on version.skill_id = skill.id and version.is_current
    where skill.id = any(${ids}::uuid[])`)
  return rows.map((row) => ({ ...row, likeness: near.get(row.id) ?? null }))
}

function wordsOf({ about, content, username }: Candidate, { terms, query }: Search): number {
  const told = wordsIn({ text: readable(about), by: username }, terms, query)
  return Math.max(told, IN_CONTENT * wordsIn({ text: readable(content) }, terms, query))
}
