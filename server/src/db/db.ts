import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import sql, { type Sql } from 'sql-template-tag'

/** SQL over one engine or the other. A transaction gives a handle of the same type, which shadows this one. */
export interface Db {
  many<Row>(query: Sql): Promise<Row[]>
  /** Exactly one row. */
  one<Row>(query: Sql): Promise<Row>
  /** One row or none. */
  find<Row>(query: Sql): Promise<Row | undefined>
  /** Returns how many rows were touched. */
  run(query: Sql): Promise<number>
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs when the transaction has committed; at once outside of one. For waking those who read what was written. */
  afterCommit(work: () => void): void
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ATTEMPTS = 5

export function createDb(pool: Pool): Db {
  return {
    ...queries(pool),
    afterCommit: (work) => work(),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pool, work)
        } catch (error) {
          if (attempt === ATTEMPTS || !isTransient(error)) throw error
        }
      }
    },
  }
}

async function runTransaction<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const committed: (() => void)[] = []
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(insideTransaction(client, committed))
    await client.query('commit')
    for (const next of committed) next()
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}

function insideTransaction(client: PoolClient, committed: (() => void)[]): Db {
  const db: Db = {
    ...queries(client),
    transaction: (work) => work(db),
    afterCommit: (work) => void committed.push(work),
  }
  return db
}

function queries(connection: Pool | PoolClient): Omit<Db, 'transaction' | 'afterCommit'> {
  const execute = <Row>(query: Sql) =>
    connection.query<Row & QueryResultRow>({ text: query.text, values: query.values, ...statementName(query) })
  return {
    async many<Row>(query: Sql) {
      return (await execute<Row>(query)).rows
    },
    async one<Row>(query: Sql) {
      const { rows } = await execute<Row>(query)
      if (rows.length !== 1 || rows[0] === undefined) throw new Error(`Expected one row, got ${rows.length}`)
      return rows[0]
    },
    async find<Row>(query: Sql) {
      return (await execute<Row>(query)).rows[0]
    },
    async run(query) {
      return (await execute(query)).rowCount ?? 0
    },
  }
}

// A named statement is parsed and planned once per connection. Texts that vary without bound must stay unnamed, or each
// connection would collect statements for ever; so naming ends after as many texts as the code can sensibly hold.
const MAX_NAMED = 500
const names = new Map<string, string>()

function statementName({ text }: Sql): { name?: string } {
  const known = names.get(text)
  if (known) return { name: known }
  if (names.size >= MAX_NAMED) return {}
  const name = `q_${createHash('sha1').update(text).digest('base64url')}`
  names.set(text, name)
  return { name }
}

/** Whether the same may succeed when it is done again at once. */
export function isTransient(error: unknown): boolean {
  const code = pgCode(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK
}

// Classes of SQLSTATE by which the connection or the server went away: a commit may have been done all the same.
const AWAY = ['08', '57']

/** Whether the database itself refused, so that nothing of the statement or transaction was done. */
export function isDefinite(error: unknown): boolean {
  const code = pgCode(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !AWAY.includes(code.slice(0, 2))
}

/** The SQLSTATE of a database error, if it is one. */
export function pgCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The name of the unique constraint that a write ran into, if it did. */
export function violatedConstraint(error: unknown): string | undefined {
  if (pgCode(error) !== '23505') return undefined
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}

/** Conditions joined by `and`; true when there are none. */
export function every(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`)
}

/**
 * One row of a table by its id, for a `left join … on true` to each of a few rows before. The planner is not given the
 * choice to read the whole table instead, which it takes when it expects more rows than there are. `row_version` is the
 * transaction that wrote the row as it is.
 */
export function rowAt(table: Sql, id: Sql): Sql {
  return sql`lateral (select *, xmin as row_version from ${table} found where found.id = ${id} limit 1)`
}
