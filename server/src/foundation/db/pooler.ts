import { randomUUID } from 'node:crypto'
import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { DatabaseAway, takesNoWrites } from './away.js'

/** The limits that the server enforces: on a statement, on waiting for a lock, and on an idle transaction. */
export interface ServerLimits {
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
}

/**
 * How the connections of a pool must be used. Through a pooler that hands out servers by transaction, such as PgBouncer, what
 * is set for a session stays on some server, for anyone. So each transaction gets its limits, and each statement a transaction.
 */
export interface Pooling {
  /** Whether there was a connection yet. */
  isKnown: boolean
  /** Whether a connection was found that leads to a pooler. */
  isPooled: boolean
  /** Whether named statements work on pooled connections: the pooler keeps account of them since PgBouncer 1.21. */
  canName: boolean
  /** Begins a transaction that has its limits. */
  readonly begin: string
}

export function createPooling(limits: ServerLimits): Pooling {
  const settings = settingsOf(limits).map((setting) => `set_config(${setting}, true), `)
  // The server behind a pooler may have become another one.
  const begin = `begin; select ${settings.join('')} current_setting('transaction_read_only') = 'on' as "isReadOnly"`
  return { isKnown: false, isPooled: false, canName: true, begin }
}

function settingsOf({ statementMs, lockMs, idleInTransactionMs }: ServerLimits): string[] {
  return Object.entries({
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }).map(([name, value]) => `'${name}', '${value}'`)
}

interface Found {
  readonly isDirect: boolean
  readonly isReadOnly: boolean
}

/**
 * Prepares a new connection, in one round trip if there is no pooler: a pooler gives clients another process number than that
 * of the server. Refuses a server that takes no writes. The limits are not parameters of the connection, which poolers refuse.
 */
export async function prepareConnection(
  client: ClientBase,
  pooling: Pooling,
  limits: ServerLimits,
  answerMs: number,
): Promise<void> {
  const limit = answerMs > 0 ? { query_timeout: answerMs } : {}
  const isDirect = isDirectSql(client)
  const settings = settingsOf(limits).map((setting) => `, case when ${isDirect} then set_config(${setting}, false) end`)
  const text = `select ${isDirect} as "isDirect", current_setting('transaction_read_only') = 'on' as "isReadOnly"`
  const { rows } = await client.query<Found>({ text: `${text}${settings.join('')}`, ...limit } as QueryConfig)
  if (rows[0]?.isReadOnly) throw takesNoWrites()
  if (!rows[0]?.isDirect) await preparePooled(client, pooling, limit)
  pooling.isKnown = true
}

async function preparePooled(client: ClientBase, pooling: Pooling, limit: { query_timeout?: number }): Promise<void> {
  pooling.canName = await keepsNames(client, limit)
  pooling.isPooled = true
  // A statement and what is around it then take one round trip.
  Object.assign(client, { pipeline: true })
}

/** SQL that is true on a connection without a pooler. */
export function isDirectSql(client: ClientBase): string {
  return `pg_backend_pid() = ${(client as { processID?: number | null }).processID ?? 0}`
}

/** Whether the pooler keeps account of named statements: then the server knows them by names of the pooler. */
async function keepsNames(client: ClientBase, limit: { query_timeout?: number }): Promise<boolean> {
  const name = `rookery_${randomUUID().replaceAll('-', '')}`
  const run = (query: { text: string; name?: string }) => client.query({ ...query, ...limit } as QueryConfig)
  await run({ text: 'begin' })
  await run({ text: 'select 1', name })
  const { rows } = await run({ text: `select from pg_prepared_statements where name = '${name}'` })
  const [found] = rows
  if (found) await run({ text: `deallocate ${name}` })
  await run({ text: 'commit' })
  return found === undefined
}

const UNKNOWN_STATEMENT = '26000'
const KNOWN_STATEMENT = '42P05'

/** Whether a named statement was sent to a server that knows another set of names. The statement had no effect then. */
export function isNameLost(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === UNKNOWN_STATEMENT || code === KNOWN_STATEMENT
}

/** Runs a statement by itself, with its limits, whether there is a pooler or not. */
export async function querySingle(pool: Pool, pooling: Pooling, statement: QueryConfig): Promise<QueryResult> {
  if (!pooling.isKnown) (await pool.connect()).release()
  return pooling.isPooled ? queryPooled(pool, pooling, statement) : pool.query(statement)
}

/** Through a pooler: in a transaction of its own, with its limits, in one round trip. */
async function queryPooled(pool: Pool, pooling: Pooling, statement: QueryConfig): Promise<QueryResult> {
  const { name, ...unnamed } = statement
  try {
    return await queryOnce(pool, pooling, pooling.canName ? statement : unnamed)
  } catch (error) {
    if (name === undefined || !isNameLost(error)) throw error
    pooling.canName = false
    return queryOnce(pool, pooling, unnamed)
  }
}

async function queryOnce(pool: Pool, { begin }: Pooling, statement: QueryConfig): Promise<QueryResult> {
  const client = await pool.connect()
  const { query_timeout } = statement as { query_timeout?: number }
  const around = (text: string) => client.query({ text, ...(query_timeout && { query_timeout }) } as QueryConfig)
  const [begun, answer, ended] = await Promise.allSettled([around(begin), client.query(statement), around('commit')])
  const failed = [begun, answer, ended].find((part) => part.status === 'rejected')
  const broken = ended.status === 'rejected' ? (ended.reason as Error) : undefined
  const isReadOnly = begun.status === 'fulfilled' && saysReadOnly(begun.value)
  client.release(isReadOnly ? takesNoWrites() : broken)
  if (isReadOnly) throw takesNoWrites()
  // Without its transaction the statement took effect by itself.
  if (begun.status === 'rejected' && answer.status === 'fulfilled')
    throw new DatabaseAway('A statement ran without its transaction.', { cause: begun.reason, mayBeDone: true })
  if (failed) throw failed.reason
  return (answer as PromiseFulfilledResult<QueryResult>).value
}

/** Begins a transaction with its limits. */
export async function beginPooled(client: PoolClient, { begin }: Pooling, limit: object): Promise<void> {
  if (saysReadOnly(await client.query({ text: begin, ...limit }))) throw takesNoWrites()
}

function saysReadOnly(begun: unknown): boolean {
  const results = begun as readonly QueryResult<Found>[]
  return results.at(-1)?.rows[0]?.isReadOnly === true
}
