import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../base/config-error.js'
import { manifestFile, type Part } from './manifest.js'

// Each message is one line: what is wrong and where, how to restore it, and how to start over on purpose. Starting over
// takes two steps, so that nobody does it by accident.

const NAMES: Readonly<Record<Part, string>> = {
  database: 'database',
  postgres: 'database',
  chain: 'embedded chain',
  files: 'folder of uploads',
  'server-secret': 'generated secret',
  'operator-key': 'generated operator key',
  'bank-key': 'generated key of the embedded chain’s bank',
}

const pathOf = (dataDir: string, part: Part) => join(resolve(dataDir), part)

function anew(dataDir: string, part: Part): string {
  return `To begin anew with this part on purpose, move ${pathOf(dataDir, part)} away and remove the line "${part}" from ${manifestFile(dataDir)}.`
}

export function inUse(dataDir: string): ConfigError {
  return new ConfigError(`DATA_DIR ${resolve(dataDir)} is in use by another process. Stop it or choose another folder.`)
}

/** A part that the manifest lists is missing. */
export function missing(dataDir: string, part: Part, file = pathOf(dataDir, part)): ConfigError {
  return new ConfigError(
    `The ${NAMES[part]} of DATA_DIR ${resolve(dataDir)} is missing: ${file} is not there. ` +
      `Restore ${pathOf(dataDir, part)} from a backup. ${anew(dataDir, part)}`,
  )
}

/** A part cannot be used. */
export function damaged(dataDir: string, part: Part, why: string): ConfigError {
  return damagedAtPath(pathOf(dataDir, part), part, why)
}

/** The same for callers that have only the path of the part. */
export function damagedAtPath(path: string, part: Part, why: string): ConfigError {
  const what = `The ${NAMES[part]} in ${path} cannot be used: ${why.replace(/\.$/, '')}.`
  if (FULL.test(why)) return new ConfigError(`${what} Make room on the disk.`)
  if (FORBIDDEN.test(why)) return new ConfigError(`${what} Let the account of the service own all of it (chown -R).`)
  return new ConfigError(`${what} It is left as it is. Restore ${path} from a backup. ${anew(dirname(path), part)}`)
}

// Messages of the system and of the engine about problems that a backup does not solve.
const FULL = /ENOSPC|EDQUOT|no space left|quota exceeded/i
const FORBIDDEN = /EACCES|EPERM|EROFS|permission denied|read-only file system/i

/** A part belongs to another installation, or has lost the mark of this one. */
export function foreign(dataDir: string, part: Part, id: string, owner?: string): ConfigError {
  const whose = owner
    ? `belongs to another installation (${owner})`
    : 'does not carry the identity of this installation'
  return new ConfigError(
    `The ${NAMES[part]} in ${pathOf(dataDir, part)} ${whose}; DATA_DIR ${resolve(dataDir)} is of ${id}. ` +
      `Restore ${pathOf(dataDir, part)} from a backup of this folder. ${anew(dataDir, part)}`,
  )
}

/** A secret is not the one that the folder has been used with. */
export function foreignSecret(dataDir: string, part: Part): ConfigError {
  return new ConfigError(
    `The ${NAMES[part]} in ${pathOf(dataDir, part)} is not the one that DATA_DIR ${resolve(dataDir)} was used with. ` +
      `Restore the file from a backup. To go on with this one on purpose, remove the line "${part}" from ${manifestFile(dataDir)}.`,
  )
}

/** A part names its installation, but the folder has no manifest. */
export function manifestMissing(dataDir: string, part: Part, owner: string): ConfigError {
  const file = manifestFile(dataDir)
  return new ConfigError(
    `${file} is missing, though the ${NAMES[part]} in ${pathOf(dataDir, part)} belongs to an installation (${owner}). ` +
      `Restore the file from a backup; if nothing else is missing, one that says {"id":"${owner}","format":1} does too. ` +
      `To begin anew on purpose, move ${resolve(dataDir)} away or choose another DATA_DIR.`,
  )
}

/** A folder that is older than manifests has lost its database. */
export function databaseMissing(dataDir: string, found: Part): ConfigError {
  return new ConfigError(
    `The database of DATA_DIR ${resolve(dataDir)} is missing: ${pathOf(dataDir, 'database')} is not there, but ` +
      `${pathOf(dataDir, found)} is. Restore it from a backup. To begin anew on purpose, move ${resolve(dataDir)} away or ` +
      'choose another DATA_DIR.',
  )
}

/** The folder and the PostgreSQL database do not belong together. */
export function otherDatabase(dataDir: string, id: string, owner: string | undefined): ConfigError {
  const which = owner ? `belongs to another installation (${owner})` : 'is new'
  return new ConfigError(
    `The database of DATABASE_URL ${which}, but DATA_DIR ${resolve(dataDir)} is of ${id}. Set the DATABASE_URL of that ` +
      'installation, restore its database from a backup, or choose another DATA_DIR. To use this folder with an empty database ' +
      `on purpose, remove the line "postgres" from ${manifestFile(dataDir)}.`,
  )
}

/** The folder was used with PostgreSQL, and DATABASE_URL is gone. */
export function databaseUrlMissing(dataDir: string): ConfigError {
  return new ConfigError(
    `DATABASE_URL is not set, but DATA_DIR ${resolve(dataDir)} was used with a PostgreSQL database. Set it, or choose another ` +
      `DATA_DIR. To go on with an embedded database on purpose, remove the line "postgres" from ${manifestFile(dataDir)}.`,
  )
}
