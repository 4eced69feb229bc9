import { type Db, every } from '@rookery/server/database'
import { buildNearestQuery, type Model, prepareSearch, vectorType } from '@rookery/server/search'
import sql, { raw, type Sql } from 'sql-template-tag'
import { recordStatements, type Statement } from '../plans/record.js'
import { plainOf, runPgbench, scriptLine } from '../postgres/pgbench.js'

/** The maximum that pgbench accepts. */
const MOST_SCRIPTS = 128

/** The tweets a search is limited to. */
export interface Filter {
  readonly name: string
  /** Public or private, matching the partial indexes. */
  readonly within: Sql
  readonly where: readonly Sql[]
}

export interface Measured {
  readonly way: 'index' | 'compared'
  readonly recall: number
  readonly rows: number
  readonly ms: readonly number[]
  /** The statement of each search. */
  readonly statements: readonly (readonly Statement[])[]
}

/** Measures how many of the true nearest ten the search finds, how many rows it returns, and how long it takes. */
export async function measureFilter(
  db: Db,
  model: Model,
  { within, where }: Filter,
  queries: readonly string[],
): Promise<Measured> {
  const wanted = { within, where }
  const ms: number[] = []
  let found = 0
  let rows = 0
  const statements: Statement[][] = []
  for (const query of queries) {
    const sent: Statement[] = []
    const startedAt = performance.now()
    const near = await db.transaction(async (db) => search(recordStatements(db, sent), model, wanted, query))
    ms.push(performance.now() - startedAt)
    statements.push(sent)
    rows += near.length
    const truth = new Set(await compareAll(db, model, wanted, query))
    found += near.slice(0, 10).filter((id) => truth.has(id)).length / truth.size
  }
  const way = statements.flat().some(({ text }) => text.includes(') + 0')) ? 'compared' : 'index'
  return { way, recall: found / queries.length, rows: rows / queries.length, ms, statements }
}

const table = (model: Model) => sql`${raw(`tweet_embedding_${model.id}`)} near`

type Wanted = Pick<Filter, 'within' | 'where'>

async function search(db: Db, model: Model, wanted: Wanted, vector: string): Promise<string[]> {
  await prepareSearch(db)
  const space = { model, from: table(model), id: sql`near.tweet_id`, ...wanted }
  const found = await buildNearestQuery(db, space, vector)
  return (await db.many<{ id: string }>(sql`select id from (${found}) found order by similarity desc`)).map(
    ({ id }) => id,
  )
}

async function compareAll(db: Db, model: Model, { within, where }: Wanted, vector: string): Promise<string[]> {
  const type = raw(vectorType(model))
  const rows = await db.many<{ id: string }>(sql`
    select near.tweet_id as id from ${table(model)} where ${every([within, ...where])}
    order by (near.vector::${type} <=> ${vector}::${type}) + 0 limit 10`)
  return rows.map(({ id }) => id)
}

/** How often a second PostgreSQL runs the same statements for `pgbench`, which discards the rows. */
export function measureLimit(
  url: string,
  searches: readonly (readonly Statement[])[],
  options: { seconds: number; connections: number },
): Promise<number | undefined> {
  const scripts = searches.slice(0, MOST_SCRIPTS).map((statements) => {
    const lines = statements.map(({ text, values }) => scriptLine(text, values.map(literal)))
    return ['begin;', ...lines, 'commit;', ''].join('\n')
  })
  return runPgbench(url, scripts, { mode: 'simple', ...options })
}

// pgbench would read a colon before a name as a variable.
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  const plain = plainOf(value).replaceAll("'", "''").replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')
  return `E'${plain}'`
}

/** How long each turn takes, one after the other. */
export async function timeEach(turns: number, work: (turn: number) => Promise<unknown>): Promise<number[]> {
  const ms: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const startedAt = performance.now()
    await work(turn)
    ms.push(performance.now() - startedAt)
  }
  return ms
}

/** How often a second `work` completes with a number of concurrent callers. */
export async function measureRate(
  work: (turn: number) => Promise<unknown>,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<number> {
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > seconds * 1000
  let turns = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (!isOver()) await work(turns++)
    }),
  )
  return (turns * 1000) / (performance.now() - startedAt)
}
