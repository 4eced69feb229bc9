import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { awaitPostgres } from './await-postgres.js'
import { type OpenDatabase, openEmbedded, openPostgres } from './connect.js'
import { lockDataDir } from './lock.js'

/** A database on its way. The data folder of an embedded one is locked from the beginning. */
export interface OpeningDatabase {
  readonly opened: Promise<OpenDatabase>
  close(): Promise<void>
}

/** Begins to open the database that the configuration asks for. */
export async function beginDatabase(
  {
    DATABASE_URL,
    DATABASE_POOL,
    DATABASE_WAIT_MS,
    DATA_DIR,
  }: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL' | 'DATABASE_WAIT_MS' | 'DATA_DIR'>,
  log: Pick<Logger, 'warn'>,
): Promise<OpeningDatabase> {
  if (DATABASE_URL) {
    await awaitPostgres(DATABASE_URL, { waitMs: DATABASE_WAIT_MS, log })
    const onError = (error: Error) => log.warn({ message: error.message }, 'a connection to the database broke')
    const database = openPostgres(DATABASE_URL, { poolSize: DATABASE_POOL, onError })
    return { opened: Promise.resolve(database), close: database.close }
  }
  const lock = await lockDataDir(DATA_DIR)
  const onBreakdown = ({ message }: Error) => log.warn({ message }, 'the database broke down and is started again')
  const opened = openEmbedded(`${DATA_DIR}/database`, { onBreakdown })
  // Whoever waits for it hears of it.
  opened.catch(() => {})
  return {
    opened,
    async close() {
      await (await opened.catch(() => undefined))?.close()
      await lock.close()
    },
  }
}
