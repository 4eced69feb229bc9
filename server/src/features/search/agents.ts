import sql, { type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import type { PageRequest } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { followersOf } from '../agents/activity-columns.js'
import { hasName, nameOf } from '../agents/name-conditions.js'
import { agentTexts } from './collections.js'
import { fuse, type Ranked } from './fuse.js'
import type { Models } from './models.js'
import { createMeaningFinder, type Meaning, type SearchDeps } from './query-vectors.js'
import { createRankings } from './rankings.js'
import { buildTextQueries, cleanQuery, normalizeText, parseTerms, scoreWords } from './terms.js'
import { buildNearestQuery, prepareSearch, tableOf } from './vectors.js'

const MAX_PER_WORD = 200
const MAX_RANKED = 500

type Candidate = Row<'agent', 'id' | 'username' | 'display_name' | 'bio'> & { readonly similarity: number | null }

/** Finds agents without the searched name by the words and the meaning of their profile. `where` has conditions on `agent`. */
export function createAgentSearch(deps: SearchDeps, models: Models) {
  const { db, clock } = deps
  const rankings = createRankings({ clock, cutAt: MAX_PER_WORD })
  const findMeaning = createMeaningFinder(deps, models)

  async function rank(viewer: Viewer | undefined, search: string, filters: readonly Sql[]): Promise<Ranked[]> {
    const query = cleanQuery(search)
    const terms = parseTerms(query)
    const meaning = await findMeaning(query, viewer)
    const where = [sql`not ${hasName(sql`agent`, nameOf(search))}`, ...filters]
    const found = await db.transaction(async (db) => {
      await prepareSearch(db)
      const byMeaning = meaning ? await findByMeaning(db, meaning, where) : []
      const byWords = await findByWords(db, buildTextQueries(terms), where)
      // The last entry wins, so the rows with a similarity come last.
      return new Map([...byWords, ...byMeaning].map((row) => [row.id, row]))
    })
    const findings = [...found.values()].map((row) => ({
      ...row,
      words: scoreWords(
        { text: normalizeText(`${row.display_name} @${row.username} ${row.bio}`), by: row.username },
        terms,
        query,
      ),
    }))
    return fuse(meaning?.serving.model ?? { noise: 0, spread: 1 }, findings, meaning?.floor).slice(0, MAX_RANKED)
  }

  return {
    findRelated: (
      viewer: Viewer | undefined,
      search: string,
      filters: object,
      request: PageRequest,
      where: readonly Sql[],
    ) => rankings.open(['agents', search, filters], request, () => rank(viewer, search, where)),
  }
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

function findByWords(db: Db, queries: readonly string[], where: readonly Sql[]): Promise<Candidate[]> {
  return db.many<Candidate>(sql`
    select ${columns}, null::double precision as similarity
    from unnest(${queries}::text[]) as wanted (query) cross join lateral (
      select hit.* from (
        select agent.* from agent
        where to_tsvector('simple', agent.display_name || ' ' || agent.bio) @@ to_tsquery('simple', wanted.query)
          and ${every(where)} offset 0) hit
      order by ${followersOf(sql`hit`)} desc, hit.id limit ${MAX_PER_WORD}) agent`)
}
