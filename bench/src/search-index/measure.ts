import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Db, every } from '@rookery/server/db/db'
import { type Model, nearest, prepareSearch, vectorType } from '@rookery/server/search/vectors'
import sql, { raw, type Sql } from 'sql-template-tag'
import { recording, type Statement } from '../plans/record.js'
import { findPgbench } from '../requests/pgbench.js'

const execute = promisify(execFile)

/** Which tweets a search is narrowed to. */
export interface Filter {
  readonly name: string
  readonly where: readonly Sql[]
}

export interface Measured {
  readonly way: 'index' | 'compared'
  readonly recall: number
  readonly rows: number
  readonly ms: readonly number[]
  readonly statements: readonly Statement[]
}

/** How many of the truly nearest ten the search finds, how many rows it comes back with, and how long it takes. */
export async function measureFilter(
  db: Db,
  model: Model,
  { where }: Filter,
  queries: readonly string[],
): Promise<Measured> {
  const ms: number[] = []
  let found = 0
  let rows = 0
  let statements: Statement[] = []
  for (const query of queries) {
    const sent: Statement[] = []
    const startedAt = performance.now()
    const near = await db.transaction(async (db) => search(recording(db, sent), model, where, query))
    ms.push(performance.now() - startedAt)
    statements = sent
    rows += near.length
    const truth = new Set(await compareAll(db, model, where, query))
    found += near.slice(0, 10).filter((id) => truth.has(id)).length / truth.size
  }
  const way = statements.some(({ text }) => text.includes(') + 0')) ? 'compared' : 'index'
  return { way, recall: found / queries.length, rows: rows / queries.length, ms, statements }
}

const table = (model: Model) => sql`${raw(`tweet_embedding_${model.id}`)} near`

async function search(db: Db, model: Model, where: readonly Sql[], vector: string): Promise<string[]> {
  await prepareSearch(db)
  const space = { model, from: table(model), id: sql`near.tweet_id`, within: sql`near.audience is null`, where }
  const found = await nearest(db, space, vector)
  return (await db.many<{ id: string }>(sql`select id from (${found}) found order by likeness desc`)).map(
    ({ id }) => id,
  )
}

async function compareAll(db: Db, model: Model, where: readonly Sql[], vector: string): Promise<string[]> {
  const type = raw(vectorType(model))
  const rows = await db.many<{ id: string }>(sql`
    select near.tweet_id as id from ${table(model)} where ${every([sql`near.audience is null`, ...where])}
    order by (near.vector::${type} <=> ${vector}::${type}) + 0 limit 10`)
  return rows.map(({ id }) => id)
}

/** How often a second PostgreSQL does the same statements for `pgbench`, which only throws the rows away. */
export async function measureLimit(
  url: string,
  statements: readonly Statement[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<number | undefined> {
  const program = findPgbench()
  if (!program) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'rookery-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, ['begin;', ...statements.map(asText), 'commit;', ''].join('\n'))
    const args = ['-n', '-M', 'simple', '-c', `${connections}`, '-j', '1', '-T', `${seconds}`, '-f', file, url]
    const { stdout } = await execute(program, args, { maxBuffer: 1 << 24 })
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function asText({ text, values }: Statement): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ')
  return `${line.replaceAll(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))};`
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  const plain = value instanceof Date ? value.toISOString() : String(value)
  return `'${plain.replaceAll("'", "''")}'`
}

/** How often a second `work` can be done by so many at a time. */
export async function measureRate(
  work: (turn: number) => Promise<unknown>,
  { seconds, callers }: { seconds: number; callers: number },
): Promise<number> {
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > seconds * 1000
  let turns = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (!isOver()) await work(turns++)
    }),
  )
  return (turns * 1000) / (performance.now() - startedAt)
}
