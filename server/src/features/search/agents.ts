import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type Db, every } from '../../foundation/db/db.js'
import type { PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { agentTexts } from './collections.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createMeanings, type Meaning } from './question.js'
import { createRankings } from './rankings.js'
import { cleanQuery, readable, termsOf, textQueries, wordsIn } from './terms.js'
import { nearest, prepareSearch, tableOf } from './vectors.js'

const MOST_PER_WORD = 200
const MOST_RANKED = 500
/** How much a part of a name counts among words. */
const PART_OF_NAME = 0.8

type Candidate = Row<'agent', 'id' | 'username' | 'display_name' | 'bio'> & { readonly likeness: number | null }

/** Finds agents by name, by words of their profile and by what it means. `where` narrows it, over `agent`. */
export function createAgentSearch({ db, clock }: Pick<Deps, 'db' | 'clock'>, models: Models) {
  const rankings = createRankings({ clock })
  const findMeaning = createMeanings(models)

  async function rank(query: string, where: readonly Sql[]): Promise<Ranked[]> {
    const name = nameIn(query)
    const terms = termsOf(query)
    const meaning = await findMeaning(query)
    const found = await db.transaction(async (db) => {
      await prepareSearch(db)
      const near = meaning ? await findNear(db, meaning, where) : []
      const named = await findNamed(db, name, where)
      const written = await findWritten(db, textQueries(terms), where)
      // The last one wins, so those that know how near they are come last.
      return new Map([...named, ...written, ...near].map((row) => [row.id, row]))
    })
    const findings = [...found.values()].map((row) => ({
      ...row,
      words: Math.max(
        wordsIn({ text: readable(`${row.display_name} @${row.username} ${row.bio}`), by: row.username }, terms, query),
        isPartOfName(row, name) ? PART_OF_NAME : 0,
      ),
    }))
    const order = nameOrder(name, found)
    return fuse(meaning?.serving.model ?? { noise: 0, spread: 1 }, findings)
      .sort((a, b) => order(a.id) - order(b.id) || b.score - a.score)
      .slice(0, MOST_RANKED)
  }

  return {
    /** Whether there is anything to look for. */
    isQuestion: (search: string) => nameIn(cleanQuery(search)) !== '',
    /** All that was found, the best match first. */
    rank: (search: string, where: readonly Sql[]) => rank(cleanQuery(search), where),
    /** A page of it. `filters` are what `where` was made from. */
    page: (search: string, filters: object, request: PageRequest, where: readonly Sql[]) =>
      rankings.page(['agents', cleanQuery(search), filters], request, () => rank(cleanQuery(search), where)),
  }
}

function nameIn(query: string): string {
  return query.replace(/^@/, '').toLowerCase()
}

// Exactly this username, then usernames that begin so, then all others.
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

async function findNear(db: Db, { serving: { model }, vector }: Meaning, where: readonly Sql[]): Promise<Candidate[]> {
  const from = sql`${tableOf(model, agentTexts)} near join agent on agent.id = near.agent_id`
  const found = await nearest(db, { model, from, id: sql`near.agent_id`, within: sql`true`, where }, vector)
  return db.many<Candidate>(
    sql`select ${columns}, found.likeness from (${found}) found join agent on agent.id = found.id`,
  )
}

function findNamed(db: Db, name: string, where: readonly Sql[]): Promise<Candidate[]> {
  const part = name.replace(/[\\%_]/g, '\\$&')
  const named = (from: Sql, condition: Sql) => sql`
    select * from (select agent.* from ${from} where ${every([condition, ...where])}
    order by agent.followers_count desc, agent.id limit ${MOST_PER_WORD}) agent`
  const begins = named(sql`agent`, sql`agent.username like ${`${part}%`}`)
  const contains = named(
    sql`agent_name named join agent on agent.id = named.agent_id`,
    sql`(named.username like ${`%${part}%`} or named.display_name ilike ${`%${part}%`})`,
  )
  return db.many<Candidate>(sql`
    select ${columns}, null::double precision as likeness from ((${begins}) union (${contains})) agent`)
}

function findWritten(db: Db, queries: readonly string[], where: readonly Sql[]): Promise<Candidate[]> {
  return db.many<Candidate>(sql`
    select ${columns}, null::double precision as likeness
    from unnest(${queries}::text[]) as wanted (query) cross join lateral (
      select hit.* from (
        select agent.* from agent
        where to_tsvector('simple', agent.display_name || ' ' || agent.bio) @@ to_tsquery('simple', wanted.query)
          and ${every(where)} offset 0) hit
      order by hit.followers_count desc, hit.id limit ${MOST_PER_WORD}) agent`)
}
