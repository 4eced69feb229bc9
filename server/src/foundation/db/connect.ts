import { Pool, types } from 'pg'
import { createDb, type Db, type Deadlines } from './db.js'
import { type EmbeddedOptions, startEmbeddedDatabase } from './embedded.js'
import { findImage } from './image.js'
import { createPooling, prepareConnection, type ServerLimits } from './pooler.js'
import { findServers } from './servers.js'

/** An open database. `pool` is for work that needs its own connection; everything else uses `db`. */
export interface OpenDatabase {
  readonly db: Db
  readonly pool: Pool
  /** For work that needs a session, such as locks outside of transactions: it bypasses a pooler. */
  readonly sessions: Pool
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
export interface ServerDeadlines extends Deadlines, ServerLimits {
  /** For a connection, including the wait for a free one of the pool. */
  readonly connectMs: number
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

// Agents come every few minutes. A new connection plans every statement anew, which takes longer than running it.
const IDLE_MS = 10 * 60_000

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
  /** The URL of the database without a pooler. Default: the same. */
  readonly directUrl?: string | undefined
  onError?(error: Error): void
}

export function openPostgres(url: string, options: PostgresOptions = {}): OpenDatabase {
  const { poolSize = 10, deadlines = DEADLINES, directUrl = url, onError = () => {} } = options
  const openPool = (url: string, max: number, pooling = createPooling(deadlines)) => {
    const { connectionString, Client, forget } = findServers(url)
    const pool = new Pool({
      connectionString,
      Client,
      max,
      types: rowTypes,
      application_name: 'rookery',
      keepAlive: true,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: deadlines.connectMs,
      async onConnect(client) {
        await prepareConnection(client, pooling, deadlines, deadlines.connectMs).catch((error: unknown) => {
          forget()
          throw error
        })
      },
    })
    surviveLosses(pool, onError)
    return pool
  }
  const pooling = createPooling(deadlines)
  const pool = openPool(url, poolSize, pooling)
  const sessions = directUrl === url ? pool : openPool(directUrl, 3)
  return {
    db: createDb(pool, deadlines, pooling),
    pool,
    sessions,
    engine: 'postgres',
    async close() {
      await Promise.all([...new Set([pool, sessions])].map((pool) => pool.end()))
    },
  }
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
    sessions: pool,
    engine: 'embedded',
    async close() {
      await pool.end()
      await embedded.close()
    },
  }
}
