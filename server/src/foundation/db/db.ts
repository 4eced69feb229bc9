import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { createPulse } from '../../base/pulse.js'
import { DatabaseAway, isAwayCode, orAway, type Step } from './away.js'

/** SQL over one engine or the other. A transaction gives a handle of the same type, which shadows this one. */
export interface Db {
  many<Row>(query: Sql): Promise<Row[]>
  /** Exactly one row. */
  one<Row>(query: Sql): Promise<Row>
  /** One row or none. */
  find<Row>(query: Sql): Promise<Row | undefined>
  /** Returns how many rows were touched. */
  run(query: Sql): Promise<number>
  transaction<T>(work: (db: Db) => Promise<T>, patience?: Patience): Promise<T>
  /** Runs when the transaction has committed; at once outside of one. For waking those who read what was written. */
  afterCommit(work: () => void): void
}

/** `long` is for work that nobody waits for, such as clearing up: it has minutes where a caller's has seconds. */
export type Patience = 'long'

const LONG_MS = 10 * 60_000
const BEGIN_LONG = `begin; set local statement_timeout = ${LONG_MS}; set local idle_in_transaction_session_timeout = ${LONG_MS}`

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ATTEMPTS = 5

/** What a server that is somewhere else is given: it may be stopped, frozen or cut off. */
export interface Deadlines {
  /** After so long without an answer the connection is given up. */
  readonly answerMs: number
  /** After so long without any answer to anybody, callers are refused at once. */
  readonly silentAfterMs: number
}

type Ask = <T>(work: () => Promise<T>, patience?: Patience) => Promise<T>

export function createDb(pool: Pool, deadlines?: Deadlines): Db {
  const limit = deadlines && { query_timeout: deadlines.answerMs }
  const ask = createAsk(deadlines)
  const { many, one, find, run } = queries(pool, 'deed', limit)
  return {
    many: (query) => ask(() => many(query)),
    one: (query) => ask(() => one(query)),
    find: (query) => ask(() => find(query)),
    run: (query) => ask(() => run(query)),
    afterCommit: (work) => work(),
    async transaction(work, patience) {
      const granted = patience && deadlines ? { query_timeout: LONG_MS } : limit
      for (let attempt = 1; ; attempt++) {
        try {
          return await ask(() => runTransaction(pool, work, granted, patience), patience)
        } catch (error) {
          if (attempt === ATTEMPTS || !isTransient(error)) throw error
        }
      }
    },
  }
}

/** The same database for work that nobody waits for. */
export function patiently(db: Db): Db {
  const inOne = <T>(ask: (db: Db) => Promise<T>) => db.transaction(ask, 'long')
  return {
    many: (query) => inOne((db) => db.many(query)),
    one: (query) => inOne((db) => db.one(query)),
    find: (query) => inOne((db) => db.find(query)),
    run: (query) => inOne((db) => db.run(query)),
    transaction: (work) => db.transaction(work, 'long'),
    afterCommit: (work) => db.afterCommit(work),
  }
}

function createAsk(deadlines: Deadlines | undefined): Ask {
  if (!deadlines) return (work) => work()
  return createPulse({
    silentAfterMs: deadlines.silentAfterMs,
    isSilence: (error) => error instanceof DatabaseAway && error.isSilence,
    refusal: () => new DatabaseAway('The database does not answer, and is given time.', { isSilence: true }),
  }).ask
}

/** Of the library: after so many milliseconds without an answer a statement fails. */
interface Limit {
  readonly query_timeout: number
}

async function runTransaction<T>(
  pool: Pool,
  work: (db: Db) => Promise<T>,
  limit?: Limit,
  patience?: Patience,
): Promise<T> {
  const client = await orAway(pool.connect())
  const committed: (() => void)[] = []
  const say = (text: string, step?: Step) => orAway(client.query({ text, ...limit }), step)
  let broken: Error | undefined
  let result: T
  try {
    await say(patience ? BEGIN_LONG : 'begin')
    result = await work(insideTransaction(client, committed, limit))
    await say('commit', 'deed')
  } catch (error) {
    // One that gave no answer would not answer to this either.
    if (error instanceof DatabaseAway && error.isSilence) broken = error
    else
      await say('rollback').catch((rollbackError: Error) => {
        broken = rollbackError
      })
    throw error
  } finally {
    client.release(broken)
  }
  for (const next of committed) next()
  return result
}

function insideTransaction(client: PoolClient, committed: (() => void)[], limit?: Limit): Db {
  const db: Db = {
    ...queries(client, 'step', limit),
    transaction: (work) => work(db),
    afterCommit: (work) => void committed.push(work),
  }
  return db
}

function queries(connection: Pool | PoolClient, step: Step, limit?: Limit): Omit<Db, 'transaction' | 'afterCommit'> {
  const execute = <Row>({ text, values }: Sql) =>
    orAway(connection.query<Row & QueryResultRow>({ text, values, ...statementName({ text }), ...limit }), step)
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

function statementName({ text }: Pick<Sql, 'text'>): { name?: string } {
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

/** Whether the database itself refused, so that nothing of the statement or transaction was done. */
export function isDefinite(error: unknown): boolean {
  const code = pgCode(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !isAwayCode(code)
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
