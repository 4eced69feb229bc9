import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type Db, every } from '../../foundation/db/db.js'
import type { PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { agentTexts } from './collections.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createMeaningFinder, type Meaning } from './query-vectors.js'
import { createRankings } from './rankings.js'
import { buildTextQueries, cleanQuery, normalizeText, parseTerms, scoreWords } from './terms.js'
import { buildNearestQuery, prepareSearch, tableOf } from './vectors.js'

const MAX_PER_WORD = 200
const MAX_RANKED = 500
/** The word score of a match with part of a name. */
const PART_OF_NAME = 0.8

type Candidate = Row<'agent', 'id' | 'username' | 'display_name' | 'bio'> & { readonly similarity: number | null }

/** Finds agents by name, and by the words and the meaning of their profile. `where` has conditions on `agent`. */
export function createAgentSearch({ db, clock }: Pick<Deps, 'db' | 'clock'>, models: Models) {
  const rankings = createRankings({ clock })
  const findMeaning = createMeaningFinder(models)

  async function rank(query: string, where: readonly Sql[]): Promise<Ranked[]> {
    const name = nameOf(query)
    const terms = parseTerms(query)
    const meaning = await findMeaning(query)
    const found = await db.transaction(async (db) => {
      await prepareSearch(db)
      const byMeaning = meaning ? await findByMeaning(db, meaning, where) : []
      const byName = await findByName(db, name, where)
      const byWords = await findByWords(db, buildTextQueries(terms), where)
      // The last entry wins, so the rows with a similarity come last.
      return new Map([...byName, ...byWords, ...byMeaning].map((row) => [row.id, row]))
    })
    const findings = [...found.values()].map((row) => ({
      ...row,
      words: Math.max(
        scoreWords(
          { text: normalizeText(`${row.display_name} @${row.username} ${row.bio}`), by: row.username },
          terms,
          query,
        ),
        isPartOfName(row, name) ? PART_OF_NAME : 0,
      ),
    }))
    const order = nameOrder(name, found)
    return fuse(meaning?.serving.model ?? { noise: 0, spread: 1 }, findings)
      .sort((a, b) => order(a.id) - order(b.id) || b.score - a.score)
      .slice(0, MAX_RANKED)
  }

  return {
    /** Whether a search has any text to look for. */
    isSearchable: (search: string) => nameOf(cleanQuery(search)) !== '',
    /** Returns all matches, best first. */
    rank: (search: string, where: readonly Sql[]) => rank(cleanQuery(search), where),
    /** Returns a page of the matches. `where` must derive from `filters`, which identify the cached ranking. */
    readPage: (search: string, filters: object, request: PageRequest, where: readonly Sql[]) =>
      rankings.readPage(['agents', cleanQuery(search), filters], request, () => rank(cleanQuery(search), where)),
  }
}

function nameOf(query: string): string {
  return query.replace(/^@/, '').toLowerCase()
}

// Exactly this username, then usernames that start with it, then all others.
function nameOrder(name: string, found: ReadonlyMap<string, Candidate>): (id: string) => number {
  return (id) => {
    const username = found.get(id)?.username ?? ''
    return username === name ? 0 : username.startsWith(name) ? 1 : 2
  }
}

function isPartOfName({ username, display_name }: Candidate, name: string): boolean {
  return username.includes(name) || display_name.toLowerCase().includes(name)
}

const columns = sql`agent.id, agent.username, agent.display_name, agent.bio`

async function findByMeaning(
  db: Db,
  { serving: { model }, vector }: Meaning,
  where: readonly Sql[],
): Promise<Candidate[]> {
  const from = sql`${tableOf(model, agentTexts)} near join agent on agent.id = near.agent_id`
  const found = await buildNearestQuery(db, { model, from, id: sql`near.agent_id`, within: sql`true`, where }, vector)
  return db.many<Candidate>(
    sql`select ${columns}, found.similarity from (${found}) found join agent on agent.id = found.id`,
  )
}

function findByName(db: Db, name: string, where: readonly Sql[]): Promise<Candidate[]> {
  const part = name.replace(/[\\%_]/g, '\\$&')
  const selectBest = (from: Sql, condition: Sql) => sql`
    select * from (select agent.* from ${from} where ${every([condition, ...where])}
    order by agent.followers_count desc, agent.id limit ${MAX_PER_WORD}) agent`
  const byPrefix = selectBest(sql`agent`, sql`agent.username like ${`${part}%`}`)
  const byPart = selectBest(
    sql`agent_name named join agent on agent.id = named.agent_id`,
    sql`(named.username like ${`%${part}%`} or named.display_name ilike ${`%${part}%`})`,
  )
  return db.many<Candidate>(sql`
    select ${columns}, null::double precision as similarity from ((${byPrefix}) union (${byPart})) agent`)
}

function findByWords(db: Db, queries: readonly string[], where: readonly Sql[]): Promise<Candidate[]> {
  return db.many<Candidate>(sql`
    select ${columns}, null::double precision as similarity
    from unnest(${queries}::text[]) as wanted (query) cross join lateral (
      select hit.* from (
        select agent.* from agent
        where to_tsvector('simple', agent.display_name || ' ' || agent.bio) @@ to_tsquery('simple', wanted.query)
          and ${every(where)} offset 0) hit
      order by hit.followers_count desc, hit.id limit ${MAX_PER_WORD}) agent`)
}
