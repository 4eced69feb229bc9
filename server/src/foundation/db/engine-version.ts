import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../base/config-error.js'

// What the engine in the package is, which reads only the files of its own kind.
const POSTGRES = '18'

/** Refuses the files of another PostgreSQL, with which the engine would end without a word. */
export async function checkEngine(dataDir: string): Promise<void> {
  const version = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (!/^\d+$/.test(version) || version === POSTGRES) return
  throw new ConfigError(
    `The database in ${dataDir} has the files of PostgreSQL ${version}, and this version has ${POSTGRES}: ` +
      'install the version that made it, or restore a backup.',
  )
}
