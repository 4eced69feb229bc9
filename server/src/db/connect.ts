import { Pool, types } from 'pg'
import { createDb, type Db } from './db.js'
import { type EmbeddedOptions, startEmbeddedDatabase } from './embedded.js'

/** An open database. `pool` is for what needs a connection of its own; everything else uses `db`. */
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

/** Connects to a PostgreSQL server. */
export function openPostgres(url: string, { poolSize = 10, onError = (_: Error): void => {} } = {}): OpenDatabase {
  const pool = new Pool({ connectionString: url, max: poolSize, types: rowTypes, application_name: 'rookery' })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError)
  return { db: createDb(pool), pool, engine: 'postgres', close: () => pool.end() }
}

/** Opens the embedded database, whose files are in `dataDir`. */
export async function openEmbedded(dataDir: string, options?: EmbeddedOptions): Promise<OpenDatabase> {
  const embedded = await startEmbeddedDatabase(dataDir, options)
  // One connection: the embedded engine has a single session.
  const pool = new Pool({
    host: embedded.socketDir,
    database: 'postgres',
    user: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    types: rowTypes,
  })
  pool.on('error', () => {})
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
