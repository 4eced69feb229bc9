import { type ClientBase, Pool, type QueryConfig, types } from 'pg'
import { createDb, type Db, type Deadlines } from './db.js'
import { type EmbeddedOptions, startEmbeddedDatabase } from './embedded.js'
import { findImage } from './image.js'

/** An open database. `pool` is for work that needs its own connection; everything else uses `db`. */
export interface OpenDatabase {
  readonly db: Db
  readonly pool: Pool
  readonly engine: 'embedded' | 'postgres'
  close(): Promise<void>
}

const INT8 = 20
const parseInt8 = (text: string) => BigInt(text)
const rowTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? parseInt8 : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}

/** How long the service waits for a PostgreSQL server. */
export interface ServerDeadlines extends Deadlines {
  /** For a connection, including the wait for a free one of the pool. */
  readonly connectMs: number
  /** Limits that the server enforces: on a statement, on waiting for a lock, and on an idle transaction. */
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
}

const DEADLINES: ServerDeadlines = {
  connectMs: 5_000,
  statementMs: 10_000,
  lockMs: 5_000,
  idleInTransactionMs: 5_000,
  // Somewhat longer than the server's own limits, so that its error, which says what was too slow, comes first.
  answerMs: 12_000,
  silentAfterMs: 3_000,
}

/** For commands without a time limit. */
export const noDeadlines: ServerDeadlines = {
  connectMs: 0,
  statementMs: 0,
  lockMs: 0,
  idleInTransactionMs: 0,
  answerMs: 0,
  silentAfterMs: Number.POSITIVE_INFINITY,
}

export interface PostgresOptions {
  readonly poolSize?: number
  readonly deadlines?: ServerDeadlines
  onError?(error: Error): void
}

export function openPostgres(url: string, options: PostgresOptions = {}): OpenDatabase {
  const { poolSize = 10, deadlines = DEADLINES, onError = () => {} } = options
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    types: rowTypes,
    application_name: 'rookery',
    keepAlive: true,
    connectionTimeoutMillis: deadlines.connectMs,
    onConnect: (client) => setLimits(client, deadlines),
  })
  surviveLosses(pool, onError)
  return { db: createDb(pool, deadlines), pool, engine: 'postgres', close: () => pool.end() }
}

// Not as parameters of the connection, which poolers such as PgBouncer refuse.
async function setLimits(client: ClientBase, deadlines: ServerDeadlines): Promise<void> {
  const { connectMs, statementMs, lockMs, idleInTransactionMs } = deadlines
  if (statementMs + lockMs + idleInTransactionMs === 0) return
  const text = `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs};
    set idle_in_transaction_session_timeout = ${idleInTransactionMs}`
  const limit = connectMs > 0 ? { query_timeout: connectMs } : {}
  await client.query({ text, ...limit } as QueryConfig)
}

// The pool replaces a broken connection, and its user gets the error from the failed statement. Without an error listener
// for idle connections and one for those in use, a broken connection would end the process.
function surviveLosses(pool: Pool, onError: (error: Error) => void): void {
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', () => {}))
}

/** Opens the embedded database, whose files are in `dataDir`. */
export async function openEmbedded(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<OpenDatabase> {
  const embedded = await startEmbeddedDatabase(dataDir, { image: findImage(), ...options })
  // One connection: the embedded engine has a single session.
  const pool = new Pool({
    host: embedded.socketDir,
    database: 'postgres',
    user: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    types: rowTypes,
  })
  surviveLosses(pool, () => {})
  return {
    db: createDb(pool),
    pool,
    engine: 'embedded',
    async close() {
      await pool.end()
      await embedded.close()
    },
  }
}
