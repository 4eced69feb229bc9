import { mkdir, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { ConfigError } from '../base/config-error.js'

// Not an empty file, which even a full disk may have room for.
const SAMPLE = Buffer.alloc(64 * 1024)

const FULL = ['ENOSPC', 'EDQUOT']
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS']
const NO_FOLDER = ['ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']

/** Creates the data folder if it does not exist, and checks that files can be written in it. */
export async function checkDataDir(dataDir: string): Promise<void> {
  const sample = join(dataDir, '.write-check')
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(sample, SAMPLE, { mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw folderError(error, dataDir) ?? error
    throw new ConfigError(`DATA_DIR ${resolve(dataDir)} cannot be made (${code}). Make it, or choose another folder.`)
  } finally {
    // Also remove what a full disk accepted of it.
    await rm(sample, { force: true }).catch(() => {})
  }
}

/** Explains a file system error that concerns the data folder; undefined for any other error. */
export function folderError(error: unknown, dataDir: string): ConfigError | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException
  const folder = resolve(dataDir)
  // A disk that fills up during a write reports no path.
  const place = typeof path === 'string' ? resolve(path) : folder
  if (!isWithin(place, folder) && !isWithin(folder, place)) return undefined
  if (FULL.includes(code))
    return new ConfigError(
      `DATA_DIR ${folder} is on a disk that is full (${code}). Make room, or choose another folder.`,
    )
  if (path === undefined) return undefined
  if (FORBIDDEN.includes(code))
    return new ConfigError(
      `DATA_DIR ${folder} cannot be written, because of ${place} (${code}). ` +
        `Let the account ${account()} own all of it (chown -R), or choose another folder.`,
    )
  if (NO_FOLDER.includes(code))
    return new ConfigError(`DATA_DIR ${folder} is not a folder, because of ${place} (${code}). Choose another.`)
  return undefined
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function account(): string {
  try {
    return userInfo().username
  } catch {
    return `with the id ${process.getuid?.() ?? 'unknown'}`
  }
}
