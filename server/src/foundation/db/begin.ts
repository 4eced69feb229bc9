import type { Logger } from 'pino'
import { systemClock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { type CheckedFolder, type FolderConfig, openFolder, openFolderForPostgres } from '../folder/folder.js'
import { keepPrivate } from '../folder/private.js'
import { awaitPostgres } from './await-postgres.js'
import { type OpenDatabase, openEmbedded, openPostgres } from './connect.js'
import { lockDataDir } from './lock.js'
import { checkNotRestoring } from './restoring.js'
import { requireSessions } from './sessions.js'

/** A database that is being opened. The data folder of an embedded one is already locked. */
export interface OpeningDatabase {
  readonly opened: Promise<OpenDatabase>
  /** The data folder, whose claim on the database is still to be checked. */
  readonly folder: CheckedFolder
  close(): Promise<void>
}

/** Begins to open the configured database, after refusing a data folder that is not complete. */
export async function beginDatabase(
  config: FolderConfig & Pick<Config, 'DATABASE_DIRECT_URL' | 'DATABASE_POOL' | 'DATABASE_WAIT_MS'>,
  log: Pick<Logger, 'warn'>,
): Promise<OpeningDatabase> {
  const { DATABASE_URL, DATABASE_DIRECT_URL: directUrl, DATABASE_POOL, DATABASE_WAIT_MS, DATA_DIR } = config
  keepPrivate()
  checkNotRestoring(DATA_DIR)
  if (DATABASE_URL) {
    const patience = { waitMs: DATABASE_WAIT_MS, log }
    await awaitPostgres(DATABASE_URL, patience)
    if (directUrl) await awaitPostgres(directUrl, { ...patience, variable: 'DATABASE_DIRECT_URL' })
    await requireSessions(DATABASE_URL, directUrl)
    const onError = (error: Error) => log.warn({ message: error.message }, 'a connection to the database broke')
    const database = openPostgres(DATABASE_URL, { poolSize: DATABASE_POOL, directUrl, onError })
    const folder = openFolderForPostgres(config, systemClock)
    return { opened: Promise.resolve(database), folder, close: database.close }
  }
  const lock = await lockDataDir(DATA_DIR)
  const folder = await openFolder(config, systemClock).catch(async (error: unknown) => {
    await lock.close()
    throw error
  })
  const onBreakdown = ({ message }: Error) => log.warn({ message }, 'the database broke down and is started again')
  const opened = openEmbedded(`${DATA_DIR}/database`, { onBreakdown })
  // Callers that await it get the error; this only prevents an unhandled rejection.
  opened.catch(() => {})
  return {
    opened,
    folder,
    async close() {
      await (await opened.catch(() => undefined))?.close()
      await lock.close()
    },
  }
}
