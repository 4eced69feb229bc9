import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../base/config-error.js'

// The version of the bundled engine, which reads only files of the same version.
const POSTGRES = '18'

/** Refuses files of another PostgreSQL version, on which the engine would exit without a message. */
export async function checkEngine(dataDir: string): Promise<void> {
  const version = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (!/^\d+$/.test(version) || version === POSTGRES) return
  throw new ConfigError(
    `The database in ${dataDir} has the files of PostgreSQL ${version}, and this version has ${POSTGRES}: ` +
      'install the version that made it, or restore a backup.',
  )
}
