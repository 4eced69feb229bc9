import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '../../base/config-error.js'

/** Where a restore collects its files, inside the data folder. While it exists, the data folder is incomplete. */
export const restoringFolder = (dataDir: string) => join(resolve(dataDir), 'restoring')

/** Refuses a folder in which a restore is unfinished. */
export function checkNotRestoring(dataDir: string): void {
  if (!existsSync(restoringFolder(dataDir))) return
  throw new ConfigError(
    `DATA_DIR ${resolve(dataDir)} is being restored from a backup, or that was stopped half way. Wait for it, or empty the ` +
      'folder and restore again.',
  )
}
