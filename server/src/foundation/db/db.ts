import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { createPulse } from '../../base/pulse.js'
import { DatabaseAway, isAwayCode, mapOutage, type Step } from './away.js'
import { beginPooled, isNameLost, type Pooling, querySingle } from './pooler.js'

/** Runs SQL on either engine. A transaction passes a handle of the same type; let it shadow this one. */
export interface Db {
  many<Row>(query: Sql): Promise<Row[]>
  /** Exactly one row. */
  one<Row>(query: Sql): Promise<Row>
  /** One row or none. */
  find<Row>(query: Sql): Promise<Row | undefined>
  /** Returns the number of rows affected. */
  run(query: Sql): Promise<number>
  transaction<T>(work: (db: Db) => Promise<T>, patience?: Patience): Promise<T>
  /** Runs `work` after the commit, or at once outside a transaction. For waking readers of what was written. */
  afterCommit(work: () => void): void
}

/** `long` is for work that no caller waits for, such as cleaning up: it gets minutes instead of seconds. */
export type Patience = 'long'

const LONG_MS = 10 * 60_000
const SET_LONG = `set local statement_timeout = ${LONG_MS}; set local idle_in_transaction_session_timeout = ${LONG_MS}`

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ATTEMPTS = 5

/** Time limits for a remote server, which may be stopped, frozen or cut off. */
export interface Deadlines {
  /** A connection without an answer for this long is dropped. */
  readonly answerMs: number
  /** After this long without any answer on any connection, callers are refused at once. */
  readonly silentAfterMs: number
}

type Guard = <T>(work: () => Promise<T>, patience?: Patience) => Promise<T>

export function createDb(pool: Pool, deadlines?: Deadlines, pooling?: Pooling): Db {
  const limit = deadlines && { query_timeout: deadlines.answerMs }
  const guard = createGuard(deadlines)
  const send: Send = (query) =>
    pooling?.isKnown === false || pooling?.isPooled ? querySingle(pool, pooling, query) : pool.query(query)
  const { many, one, find, run } = createQueries(send, 'final', limit)
  return {
    many: (query) => guard(() => many(query)),
    one: (query) => guard(() => one(query)),
    find: (query) => guard(() => find(query)),
    run: (query) => guard(() => run(query)),
    afterCommit: (work) => work(),
    async transaction(work, patience) {
      const granted = patience && deadlines ? { query_timeout: LONG_MS } : limit
      for (let attempt = 1; ; attempt++) {
        try {
          return await guard(() => runTransaction({ pool, pooling, limit: granted, patience }, work), patience)
        } catch (error) {
          const isRepeatable = isTransient(error) || (pooling?.isPooled && isNameLost(error))
          if (attempt === ATTEMPTS || !isRepeatable) throw error
          if (pooling && isNameLost(error)) pooling.canName = false
        }
      }
    },
  }
}

/** The same database for work that no caller waits for. */
export function withLongTimeouts(db: Db): Db {
  const runLong = <T>(work: (db: Db) => Promise<T>) => db.transaction(work, 'long')
  return {
    many: (query) => runLong((db) => db.many(query)),
    one: (query) => runLong((db) => db.one(query)),
    find: (query) => runLong((db) => db.find(query)),
    run: (query) => runLong((db) => db.run(query)),
    transaction: (work) => db.transaction(work, 'long'),
    afterCommit: (work) => db.afterCommit(work),
  }
}

function createGuard(deadlines: Deadlines | undefined): Guard {
  if (!deadlines) return (work) => work()
  return createPulse({
    silentAfterMs: deadlines.silentAfterMs,
    isSilence: (error) => error instanceof DatabaseAway && error.isSilence,
    refusal: () => new DatabaseAway('The database does not answer, and is given time.', { isSilence: true }),
  }).run
}

/** An option of the library: a statement without an answer after this many milliseconds fails. */
interface Limit {
  readonly query_timeout: number
}

interface TransactionOptions {
  readonly pool: Pool
  readonly pooling: Pooling | undefined
  readonly limit: Limit | undefined
  readonly patience: Patience | undefined
}

async function runTransaction<T>(options: TransactionOptions, work: (db: Db) => Promise<T>): Promise<T> {
  const { pool, pooling, limit, patience } = options
  const client = await mapOutage(pool.connect())
  const committed: (() => void)[] = []
  const send = (text: string, step?: Step) => mapOutage(client.query({ text, ...limit }), step)
  let broken: Error | undefined
  let result: T
  try {
    if (pooling?.isPooled) {
      await mapOutage(beginPooled(client, pooling, { ...limit }))
      if (patience) await send(SET_LONG)
    } else await send(patience ? `begin; ${SET_LONG}` : 'begin')
    result = await work(createTransactionDb(client, committed, limit, pooling))
    await send('commit', 'final')
  } catch (error) {
    // A server that gave no answer would not answer a rollback either. One that takes no writes is of no use any more.
    if (error instanceof DatabaseAway && (error.isSilence || error.isReadOnly)) broken = error
    else
      await send('rollback').catch((rollbackError: Error) => {
        broken = rollbackError
      })
    throw error
  } finally {
    client.release(broken)
  }
  for (const next of committed) next()
  return result
}

function createTransactionDb(
  client: PoolClient,
  committed: (() => void)[],
  limit: Limit | undefined,
  pooling: Pooling | undefined,
): Db {
  const send: Send = ({ name, ...query }) => client.query(name && mayName(pooling) ? { ...query, name } : query)
  const db: Db = {
    ...createQueries(send, 'intermediate', limit),
    transaction: (work) => work(db),
    afterCommit: (work) => void committed.push(work),
  }
  return db
}

function mayName(pooling: Pooling | undefined): boolean {
  return !pooling?.isPooled || pooling.canName
}

type Send = (query: QueryConfig) => Promise<QueryResult>

function createQueries(send: Send, step: Step, limit?: Limit): Omit<Db, 'transaction' | 'afterCommit'> {
  const execute = <Row>({ text, values }: Sql) =>
    mapOutage(send({ text, values, ...statementName({ text }), ...limit }), step) as Promise<
      QueryResult<Row & QueryResultRow>
    >
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
// connection would collect statements forever; so naming stops after as many texts as the code can sensibly contain.
const MAX_NAMED = 500
const names = new Map<string, string>()

function statementName({ text }: Pick<Sql, 'text'>): { name?: string } {
  const existing = names.get(text)
  if (existing) return { name: existing }
  if (names.size >= MAX_NAMED) return {}
  const name = `q_${createHash('sha1').update(text).digest('base64url')}`
  names.set(text, name)
  return { name }
}

/** Whether the same work may succeed if repeated at once. */
export function isTransient(error: unknown): boolean {
  const code = pgCode(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK
}

/** Whether the database itself refused, so that the statement or transaction had no effect. */
export function isDefinite(error: unknown): boolean {
  const code = pgCode(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !isAwayCode(code)
}

/** The SQLSTATE of an error from the database. */
export function pgCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The name of the unique constraint that a write violated. */
export function violatedConstraint(error: unknown): string | undefined {
  if (pgCode(error) !== '23505') return undefined
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}

/** Conditions joined by `and`; true when there are none. */
export function every(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`)
}

/**
 * One row of a table by its id, for a `left join … on true` to each of a few rows. This keeps the planner from reading the
 * whole table, which it does when it expects more rows than there are.
 */
export function rowAt(table: Sql, id: Sql): Sql {
  return sql`lateral (select * from ${table} found where found.id = ${id} limit 1)`
}
